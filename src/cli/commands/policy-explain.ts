import type { PolicyFacts } from '../../domain/policy/policy';
import { type ActionFacts, actionFacts } from '../../ledger/queries/action-facts';
import { createPolicy } from '../../policy/create-policy';
import { type Explanation, explain } from '../../policy/explain';
import { actionId } from '../../protocol/ids';
import { placeNamed } from '../../requests/naming/action-name';
import { find } from '../../requests/naming/find';
import { CliError } from '../cli-error';
import type { CommonOptions } from '../common-options';
import { decisionWords } from '../decision-words';
import { type ExitCode, exitCodes } from '../exit-codes';
import { factsOfAction } from '../facts-of-action';
import { paint, printJson, printTable, say } from '../output';
import { shortPath } from '../policy-problems';
import { row } from '../row';
import { withSession } from '../session';
import { withTools } from '../with-tools';

/** What the policy that is here says of an action of an attempt, rule by rule, as if it were decided now. */
export function policyExplain(given: string, action: string, options: CommonOptions): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const ref = await find(session, given);
    const place = placeNamed(ref, action);
    const id = actionId(ref.id, place.step, place.index);
    const facts = await actionFacts(session.pool, ref, place);
    if (facts === undefined) {
      const next = `\`holdfast show ${ref.id} --json\` names those of its newest step.`;
      throw new CliError(exitCodes.usage, `${ref.id} has no action ${id}.`, next);
    }
    return withTools(session.config, async (tools) => {
      const policy = createPolicy({ ...session.config.policy, tools });
      const asked = await factsOfAction(session, ref, place, facts, tools);
      const explanation = explain(policy, asked);
      if (options.json)
        printJson({ attemptId: ref.id, actionId: id, facts: asked, ...explanation, decided: facts.decided });
      else tell(id, asked, explanation, facts.decided);
      return exitCodes.done;
    });
  });
}

function tell(
  id: string,
  facts: PolicyFacts,
  { decision, why, rules, version }: Explanation,
  decided: ActionFacts['decided'],
): void {
  const { tool, effect, target, args, principal, tainted } = facts;
  say(paint('bold', id));
  say(row('call', `${tool} ${JSON.stringify(args)}`));
  say(
    row(
      'facts',
      `effect ${effect}, target ${target}, started by ${principal || 'nobody known'}${tainted ? ', tainted' : ''}`,
    ),
  );
  printTable(
    ['', 'rule', 'where', 'decision', 'matches', 'why'],
    rules.map((rule) => [
      rule.decides ? '→' : '',
      rule.id,
      `${shortPath(rule.at.file)}:${rule.at.line}`,
      rule.decision,
      rule.outcome.replace('_', ' '),
      rule.why,
    ]),
  );
  say(row('decision', `${paint('bold', decisionWords(decision))}: ${why} (policy ${version})`));
  if (decided !== null) say(row('recorded', `by rule ${decided.rule} of policy ${decided.policy}`));
}
