const introduction = `# Timeouts and limits

Every named timeout and limit of the code with the reason that stands beside it there. \`npm run limits\` writes this page from
\`src/\`; a test fails while the two differ, or where a limit has no reason. The limits of a task's budget are in the task file.
`;

/** docs/timeouts.md, as it follows from the limits found. */
export function limitsTable(limits) {
  const folders = [...new Set(limits.map(folderOf))].sort();
  const sections = folders.map((folder) =>
    section(
      folder,
      limits.filter((limit) => folderOf(limit) === folder),
    ),
  );
  return [introduction, ...sections].join('\n');
}

const folderOf = ({ file }) => (file.includes('/') ? file.split('/')[0] : '.');

function section(folder, limits) {
  const rows = limits.map(
    ({ name, value, why, file }) => `| \`${name}\` | ${withUnit(name, value)} | ${escaped(why)} | \`${file}\` |`,
  );
  return [
    `## src/${folder === '.' ? '' : folder}`,
    '',
    '| constant | value | why | file |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const escaped = (text) => text.replaceAll('|', '\\|');

/** 16384 bytes → 16 KiB; 90000 ms → 90 s. */
export function withUnit(name, value) {
  if (/Ms$/.test(name) || /Ms(Max|Min)$/.test(name)) return duration(value);
  if (/Bytes/.test(name)) return scaled(value, 1024, ['bytes', 'KiB', 'MiB', 'GiB']);
  if (/Chars/.test(name)) return `${grouped(value)} characters`;
  return grouped(value);
}

function duration(ms) {
  if (ms < 1000) return `${ms} ms`;
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0 && ms > 60_000) return `${ms / 60_000} min`;
  return `${ms / 1000} s`;
}

function scaled(value, base, units) {
  let [amount, unit] = [value, 0];
  while (amount >= base && amount % base === 0 && unit < units.length - 1) {
    amount /= base;
    unit += 1;
  }
  return `${grouped(amount)} ${units[unit]}`;
}

const grouped = (value) => value.toLocaleString('en-US');
