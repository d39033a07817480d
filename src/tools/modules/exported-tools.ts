import type { ToolDefinition } from '../../activities/ports';
import { effectClasses } from '../../domain/effect/effect';
import { InputError } from '../../located-yaml/input-error';

const effects: ReadonlySet<unknown> = new Set(['control', 'none', ...effectClasses]);

/**
 * The tools that a module exports: each export that is a tool or a list of tools, each tool once. Other exports are the
 * module's own affair, unless they look like a tool that nobody made with `defineTool`. Throws InputError.
 */
export function exportedTools(path: string, exports: unknown): readonly ToolDefinition[] {
  const tools = new Set<ToolDefinition>();
  const wrong = (name: string, what: string): never => {
    throw new InputError([{ message: `${path}: the export "${name}" ${what}` }]);
  };
  for (const [name, value] of Object.entries(typeof exports === 'object' && exports !== null ? exports : {})) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of list) {
      if (isTool(item)) tools.add(item);
      else if (looksLikeTool(item)) wrong(name, 'is no tool that defineTool made');
      else if (name === 'default') wrong(name, 'must be a tool or a list of tools, made with defineTool');
    }
  }
  if (tools.size === 0) throw new InputError([{ message: `${path}: this tool module exports no tool` }]);
  for (const tool of tools) {
    if (tool.effect === 'control')
      throw new InputError([
        { message: `${path}: ${tool.name} has effect control, which is for the runtime's own tools` },
      ]);
  }
  return [...tools];
}

function isTool(value: unknown): value is ToolDefinition {
  return (
    looksLikeTool(value) &&
    typeof Reflect.get(value, 'validate') === 'function' &&
    typeof Reflect.get(value, 'version') === 'string'
  );
}

function looksLikeTool(value: unknown): value is { readonly name: string } {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'name') === 'string' && effects.has(Reflect.get(value, 'effect'));
}
