import type { Criterion } from './contract';

/** A criterion in words: what must be true, for the model and for people. Of a sealed one no more than that there is one (R3.4). */
export function criterionInWords(criterion: Criterion): string {
  if (criterion.sealed)
    return 'A final test that is shown to nobody is met. It is made once, and nothing is told of it.';
  const last = criterion.repair === false ? ' This is judged once, without feedback.' : '';
  return `${criterion.id}: ${requirement(criterion)}${last}`;
}

function requirement(criterion: Criterion): string {
  switch (criterion.check) {
    case 'command':
      return `\`${criterion.run}\` exits with code 0 in a clean copy of the workspace.`;
    case 'diff': {
      const rules = [
        criterion.only && `only paths matching ${list(criterion.only)} change`,
        criterion.mustChange && `something changes under each of ${list(criterion.mustChange)}`,
        criterion.mustNotChange && `nothing changes under ${list(criterion.mustNotChange)}`,
      ].filter((rule) => rule !== undefined);
      return `The workspace differs from where it began${rules.map((rule) => `; ${rule}`).join('')}.`;
    }
    case 'external': {
      const within = criterion.withinMs ? ` within ${criterion.withinMs} ms` : '';
      return `\`${criterion.tool}\`, asked with ${JSON.stringify(criterion.args)}, answers with ${JSON.stringify(criterion.expect)}${within}.`;
    }
    case 'query': {
      const own = criterion.sql === undefined ? 'Your query' : `\`${criterion.sql}\``;
      const expected = criterion.expect === undefined ? '' : `, with ${JSON.stringify(criterion.expect)}`;
      return `${own}, run twice on the database \`${criterion.database}\` without writing, gives the same rows${expected}.`;
    }
    case 'citations': {
      const { minSources = 1, questions = [] } = criterion;
      const covered = questions.map((question) => `“${question}”`).join(', ');
      const each =
        covered === '' ? '' : `; each of these is answered by a citation or named among the unknowns: ${covered}`;
      return `Each quote that is cited stands in its source as it was read; at least ${minSources} different sources${each}.`;
    }
    case 'human':
      return `A person, who is shown what you report, answers with yes: “${criterion.question}”`;
    case 'audit_event':
      return `The record of this attempt has an event \`${criterion.type}\`.`;
  }
}

const list = (globs: readonly string[]) => globs.map((glob) => `\`${glob}\``).join(', ');
