import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { canonicalHash } from '../../domain/canonical';
import { closedObject } from '../../located-yaml/closed-object';
import { InputError } from '../../located-yaml/input-error';
import { parseLocated } from '../../located-yaml/located-document';
import type { Skill } from './skill';

/** A skill is text that a model reads; what is larger than all that a context holds was not meant as one. */
const skillBytesMax = 1_000_000;
/** The names of its files stand behind its text. */
const skillFilesMax = 100;
/** Each stands in every request, in characters. */
const descriptionMax = 1_024;

const headerSchema = closedObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'a name is a-z, 0-9 and "-", at most 64 characters')
    .describe('What the model calls it by.'),
  description: z.string().trim().min(1).max(descriptionMax).describe('What it is for, and when to use it.'),
  license: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/**
 * The skills in these folders: each is a skill itself, with a SKILL.md, or holds folders that are. Throws InputError, with
 * file and line, where one is wrong, or two have the same name.
 */
export function loadSkills(folders: readonly string[]): readonly Skill[] {
  const loaded = folders.flatMap(skillFolders).map((folder) => ({ folder, skill: loadSkill(folder) }));
  const places = new Map<string, string>();
  for (const { folder, skill } of loaded) {
    const other = places.get(skill.name);
    if (other !== undefined)
      throw new InputError([{ message: `Two skills are called "${skill.name}": ${other} and ${folder}.` }]);
    places.set(skill.name, folder);
  }
  return loaded.map(({ skill }) => skill).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function skillFolders(folder: string): readonly string[] {
  const entries = entriesOf(folder);
  if (entries.some(isSkillFile)) return [folder];
  const inside = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .filter((path) => entriesOf(path).some(isSkillFile));
  if (inside.length === 0) throw new InputError([{ message: `${folder} has no SKILL.md, nor has a folder in it.` }]);
  return inside.sort();
}

const isSkillFile = (entry: Dirent) => entry.isFile() && entry.name === 'SKILL.md';

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError([{ message: `the folder of skills cannot be read: ${why}` }]);
  }
}

function loadSkill(folder: string): Skill {
  const texts = textsIn(folder);
  const path = join(folder, 'SKILL.md');
  const [, header, body = ''] =
    /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n([\s\S]*))?$/.exec(texts.get('SKILL.md') ?? '') ?? [];
  if (header === undefined)
    throw new InputError(
      [{ message: 'begins with no header', at: { file: path, line: 1, column: 1 } }],
      'Begin it with the lines "---", "name: …", "description: …" and "---".',
    );
  // A first line in place of the header's mark, so that lines count as in the file.
  const { value } = parseLocated(path, `#\n${header}`, headerSchema);
  const files = new Map([...texts].filter(([name]) => name !== 'SKILL.md'));
  const { name, description } = value;
  return { name, description, body: body.trim(), files, version: canonicalHash([...texts]).slice(0, 16) };
}

/** Every file by its path, in the order of their names; what begins with a dot is no part of a skill. */
function textsIn(folder: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let bytes = 0;
  const walk = (at: string): void => {
    for (const entry of [...entriesOf(at)].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) walk(path);
      if (!entry.isFile()) continue; // a link could lead out of the folder
      bytes += statSync(path).size;
      if (bytes > skillBytesMax || texts.size >= skillFilesMax)
        throw new InputError([
          { message: `${folder} is no skill: more than ${skillFilesMax} files, or ${skillBytesMax} bytes.` },
        ]);
      texts.set(relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8'));
    }
  };
  walk(folder);
  return texts;
}
