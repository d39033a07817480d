import { searchAttributeNames } from '../../protocol/search-attributes';

/** What the workflow writes so that attempts can be found in Temporal's own lists; all are Keywords. */
export const searchAttributes: readonly string[] = Object.values(searchAttributeNames);

/** Safe on power loss (`normal` is not), and readers do not hold up the writer. */
const sqlitePragmas = ['journal_mode=wal', 'synchronous=full'];

/**
 * The server's own values hold one loop at about 100 ms a step, and continue-as-new at once a second; and where workers die
 * again and again within one workflow task, they wait for its fourth, fifth, sixth attempt 5, 10, 20 s longer, up to ten
 * minutes. The queue of timers is read ahead by a second, and a shorter timer set meanwhile fires only after it.
 */
export const dynamicConfig: Readonly<Record<string, string>> = {
  'history.transferProcessorMaxPollRPS': '5000',
  'history.workflowIdReuseMinimalInterval': '"100ms"',
  'history.workflowTaskRetryMaxInterval': '"1s"',
  'history.timerProcessorMaxTimeShift': '"10ms"',
};

/** The arguments of `temporal server start-dev` that do not depend on the place. */
export function temporalSettings(): readonly string[] {
  return [
    ...sqlitePragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...Object.entries(dynamicConfig).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ...searchAttributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}
