import type { ToolDefinition } from '../../activities/ports';
import { canonicalHash } from '../../domain/canonical';
import { defineTool } from '../define-tool';
import { nearestName } from '../nearest-name';
import { answering, ToolError } from '../tool-errors';
import type { Skill } from './skill';

const intro =
  'Reads how a kind of work is done here. Read the skill that fits before you begin such work. name: one of those below; file: another file of the skill, where its text names one. Skills:';

/** The tool by which a model reads skills; its description lists them, so every request does (R13.5). `skills`: at least one. */
export function readSkillTool(skills: readonly Skill[]): ToolDefinition {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const list = skills.map(({ name, description }) => `- ${name}: ${description.replace(/\s+/g, ' ')}`);
  const tool = defineTool({
    name: 'read_skill',
    description: [intro, ...list].join('\n'),
    schema: {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1 }, file: { type: 'string', minLength: 1 } },
      required: ['name'],
      additionalProperties: false,
    },
    effect: 'none',
    workspace: false,
    looks: false,
    quick: true,
    timeoutMs: 10_000,
    run: ({ name, file }) =>
      answering(async () => {
        const skill = byName.get(name);
        if (!skill) throw missing(`There is no skill "${name}"`, name, [...byName.keys()]);
        if (file === undefined) return whole(skill);
        const text = skill.files.get(file);
        if (text === undefined) throw missing(`The skill ${name} has no file "${file}"`, file, [...skill.files.keys()]);
        return text;
      }),
  });
  const versions = Object.fromEntries(skills.map(({ name, version }) => [name, version]));
  return { ...tool, version: canonicalHash({ tool: tool.version, versions }).slice(0, 16) };
}

function whole({ name, version, body, files }: Skill): string {
  const others = files.size === 0 ? [] : ['', `Files of this skill: ${[...files.keys()].join(', ')}`];
  return [`Skill ${name}, version ${version}`, '', body, ...others].join('\n');
}

function missing(what: string, asked: string, known: readonly string[]): ToolError {
  const near = nearestName(asked, known);
  const there = known.length === 0 ? 'It has none but its text.' : `There is: ${known.join(', ')}.`;
  return new ToolError(
    { class: 'tool_argument', code: 'NO_SUCH_SKILL' },
    `${what}${near === undefined ? '' : `; there is "${near}"`}.`,
    there,
  );
}
