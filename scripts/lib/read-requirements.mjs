const line = /^- ([RME]\d+(?:\.\d+)?) (\w+): (.+)$/;
const statuses = ['built', 'partly', 'planned'];

/** The numbered lines of docs/requirements.md. Throws on a line that looks like one and is none. */
export function readRequirements(markdown) {
  const items = markdown.split('\n').filter((text) => /^- [RME]\d/.test(text));
  return items.map((text) => {
    const [, number, status, promise] = line.exec(text) ?? [];
    if (!statuses.includes(status))
      throw new Error(`docs/requirements.md: expected "- NUMBER ${statuses.join('|')}: …" in "${text}"`);
    return { number, status, text: promise };
  });
}
