import { z } from 'zod';
import type { ViewEnvironment } from '../../domain/context/view-facts';
import { loadBody } from '../bodies';
import type { ActivityDeps } from '../deps';
import type { ViewRows } from '../ledger-port';

/** Of a command, in characters: one line of the view, in every step from here on. */
const commandLengthMax = 200;
const commanded = z.object({ command: z.string() });

/** What the tests said when they last ran (R7.2); nothing where no command ran any. */
export async function lastTest(
  deps: Pick<ActivityDeps, 'artifacts'>,
  tenant: string,
  row: ViewRows['lastTest'],
): Promise<Pick<ViewEnvironment, 'lastTest'>> {
  if (row === null) return {};
  const call = commanded.safeParse(parsed(await loadBody(deps.artifacts, tenant, row.args)));
  if (!call.success) return {};
  const command = call.data.command.replace(/\s+/g, ' ').replaceAll('`', "'").trim().slice(0, commandLengthMax);
  return { lastTest: { command, passed: row.failing === 0, ...(row.failing > 0 && { failing: row.failing }) } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
