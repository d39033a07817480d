const number = /^[RME]\d+(?:\.\d+)?(?=$|[\s,:/&–-])/;

/** The numbers that a title begins with: `R2.2, R2.3 …` has two. */
export function numbersOf(title) {
  const found = [];
  let rest = title;
  for (let match = number.exec(rest); match; match = number.exec(rest)) {
    found.push(match[0]);
    rest = rest.slice(match[0].length).replace(/^[\s,:/&–-]+/, '');
  }
  return found;
}

/** Joins requirements with the tests that name them. */
export function judge(requirements, titles) {
  const named = titles.map((test) => ({ ...test, numbers: numbersOf(test.title) }));
  const rows = requirements.map((requirement) => ({
    ...requirement,
    tests: named
      .filter((test) => test.numbers.includes(requirement.number))
      .map(({ file, title }) => ({ file, title })),
  }));
  const known = new Set(requirements.map((requirement) => requirement.number));
  const stray = named.flatMap((test) => test.numbers.filter((one) => !known.has(one)).map((one) => ({ ...test, one })));
  return {
    rows,
    errors: [
      ...rows
        .filter((row) => row.status !== 'planned' && row.tests.length === 0)
        .map((row) => `${row.number} is ${row.status} and no test names it`),
      ...stray.map(
        ({ file, title, one }) => `${file}: "${title}" names ${one}, which docs/requirements.md does not have`,
      ),
    ],
    warnings: rows
      .filter((row) => row.status === 'planned' && row.tests.length > 0)
      .map((row) => `${row.number} is planned, but ${row.tests[0].file} has a test of it`),
  };
}
