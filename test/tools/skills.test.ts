import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReadTool } from '../../src/activities/ports';
import { createRegistry } from '../../src/tools/registry';
import { loadSkills } from '../../src/tools/skills/load-skills';
import { readSkillTool } from '../../src/tools/skills/read-skill';
import { tempFolder } from '../support/temp-folder';

const skillText = (name: string, description = `About ${name}.`, body = `How ${name} is done.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
function folder(files: Readonly<Record<string, string>>): string {
  const root = tempFolder('holdfast-skills-');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
const read = async (skills: Parameters<typeof readSkillTool>[0], args: object) =>
  (readSkillTool(skills) as ReadTool).run(args as never, {} as never);

test('R12.1 skills are read from a folder of skills or from one that is one, each with the hash of all its files as its version', () => {
  const many = folder({ 'b/SKILL.md': skillText('beta'), 'a/SKILL.md': skillText('alpha'), 'notes/x.md': 'no skill' });
  const one = folder({ 'SKILL.md': skillText('gamma'), 'more/table.md': '| a |' });
  const skills = loadSkills([many, one]);
  expect(skills.map(({ name }) => name)).toEqual(['alpha', 'beta', 'gamma']);
  expect(skills[0]).toMatchObject({ description: 'About alpha.', body: 'How alpha is done.' });
  expect([...(skills[2]?.files ?? [])]).toEqual([['more/table.md', '| a |']]);

  const before = skills[2]?.version;
  expect(before).toMatch(/^[0-9a-f]{16}$/);
  expect(loadSkills([one])[0]?.version).toBe(before);
  writeFileSync(join(one, 'more/table.md'), '| b |');
  expect(loadSkills([one])[0]?.version).not.toBe(before);
});

test.each([
  ['no header', { 'SKILL.md': 'Just text.' }, /SKILL\.md:1:1: begins with no header/],
  ['a wrong name', { 'SKILL.md': skillText('Not a name') }, /SKILL\.md:2:7: name: a name is a-z/],
  ['no description', { 'SKILL.md': '---\nname: a\n---\nx' }, /description: is missing/],
  [
    'an unknown key',
    { 'SKILL.md': '---\nname: a\ndescription: d\ntools: [x]\n---\nx' },
    /SKILL\.md:4:1: unknown key "tools"/,
  ],
  ['no skill at all', { 'a/README.md': 'x' }, /has no SKILL\.md, nor has a folder in it/],
  ['two of one name', { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('a') }, /Two skills are called "a"/],
])('R12.1 a folder with %s is refused with the place', (_what, files, message) => {
  expect(() => loadSkills([folder(files)])).toThrow(message);
});

test('R12.1 a folder that is not there, or too large for a skill, is refused', () => {
  expect(() => loadSkills(['/nowhere/skills'])).toThrow(/cannot be read/);
  const large = folder({ 'SKILL.md': skillText('a'), 'big.txt': 'x'.repeat(1_000_001) });
  expect(() => loadSkills([large])).toThrow(/is no skill/);
});

test('R4.1 a link leads to nothing outside of the skill', () => {
  const outside = folder({ 'secret.txt': 'outside' });
  const root = folder({ 'SKILL.md': skillText('a') });
  symlinkSync(join(outside, 'secret.txt'), join(root, 'secret.txt'));
  expect([...(loadSkills([root])[0]?.files.keys() ?? [])]).toEqual([]);
});

test('R13.5 the tool lists every skill in its description, is offered in every task, and is another version where a skill is', () => {
  const root = folder({ 'a/SKILL.md': skillText('alpha', 'Two\n  words'), 'b/SKILL.md': skillText('beta') });
  const tool = readSkillTool(loadSkills([root]));
  expect(tool.description).toContain('- alpha: Two words\n- beta: About beta.');
  const registry = createRegistry([], [{ origin: 'the skills', tools: [tool], always: true }]);
  expect(registry.offered([], []).map(({ name }) => name)).toContain('read_skill');
  expect(registry.offered([], ['read_skill']).map(({ name }) => name)).not.toContain('read_skill');
  expect(createRegistry().names()).not.toContain('read_skill');

  writeFileSync(join(root, 'b/SKILL.md'), skillText('beta', 'About beta.', 'Otherwise.'));
  expect(readSkillTool(loadSkills([root])).version).not.toBe(tool.version);
});

test('R8.3 a skill is read with its version and the names of its files, and what is not there is named with what is', async () => {
  const skills = loadSkills([folder({ 'SKILL.md': skillText('alpha'), 'table.md': '| a |' })]);
  expect(await read(skills, { name: 'alpha' })).toEqual({
    ok: true,
    output: `Skill alpha, version ${skills[0]?.version}\n\nHow alpha is done.\n\nFiles of this skill: table.md`,
  });
  expect(await read(skills, { name: 'alpha', file: 'table.md' })).toEqual({ ok: true, output: '| a |' });
  expect(await read(skills, { name: 'alphaa' })).toMatchObject({
    ok: false,
    error: { code: 'NO_SUCH_SKILL', message: 'There is no skill "alphaa"; there is "alpha".' },
  });
  expect(await read(skills, { name: 'alpha', file: '../secret' })).toMatchObject({ ok: false });
});
