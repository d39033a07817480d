import { effectList, type ListedEffect } from '../../ledger/queries/effect-list';
import type { Session } from '../../requests/session';
import { readTaskFile } from '../../requests/task/task-file';
import { toolNames } from '../../requests/task/tool-names';
import type { CommonOptions } from '../common-options';
import { say } from '../output';
import { answerApprovals } from './answer-approvals';
import { demoModel } from './demo-model';
import type { DemoParts } from './demo-parts';
import type { ShopLine } from './demo-shop';
import { type DemoResult, demoTask } from './demo-task';
import { refundExample } from './refund-example';
import { tellEffects } from './tell-effects';

export interface RefundOptions extends CommonOptions {
  readonly yes?: boolean;
  /** Aborted when the demo ends: nobody is asked any more. */
  readonly ended: AbortSignal;
}
export interface RefundResult extends DemoResult {
  readonly effects: readonly ListedEffect[];
  /** What the shop committed for it, in the shop's own words. */
  readonly shopLog: readonly ShopLine[];
}

/**
 * The second task: a refund in a real shop, which loses its first answer. Policy asks a person; `--yes` or the terminal
 * answers. Where nobody is there to ask, the attempt keeps waiting, and the next demo goes on with it.
 */
export async function refundTask(session: Session, parts: DemoParts, options: RefundOptions): Promise<RefundResult> {
  const { config, refund, shop } = parts;
  const file = readTaskFile(refund.task, {
    ...(await toolNames(config)),
    models: Object.keys(config.models),
    model: demoModel(config),
  });
  await shop.loseOneAnswer('create_refund', refund.orderId);
  const quiet = options.json ?? false;
  if (!quiet) say('\nThe shop will commit the refund and lose its answer once, so that it has to be sent again.');
  const ask = { yes: options.yes ?? false, by: refundExample.approver, signal: options.ended, quiet };
  const result = await demoTask(session, file, options, answerApprovals(session, ask));
  const effects = await effectList(session.pool, result.ref);
  const shopLog = (await shop.log(0)).filter(
    ({ operation, args }) => operation !== 'open_order' && args['orderId'] === refund.orderId,
  );
  if (!quiet) tellEffects(effects, shopLog);
  return { ...result, effects, shopLog };
}
