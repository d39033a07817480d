import { z } from 'zod';
import type { Change, Part } from './resume-table';

/**
 * Versions of all that an attempt stands on beside its own rows (R12.1). Null: nobody noted it, so nothing can be said of a
 * change. The environment is that of commands; it is null where an attempt runs none.
 */
export const versionsSchema = z.strictObject({
  code: z.string().nullable(),
  policy: z.string().nullable(),
  environment: z.string().nullable(),
  /** By name; what is not here has no entry. */
  models: z.record(z.string(), z.string().nullable()),
  tools: z.record(z.string(), z.string().nullable()).nullable(),
  /** Left out where nobody noted them. */
  skills: z.record(z.string(), z.string()).optional(),
});
export type Versions = Readonly<z.infer<typeof versionsSchema>>;

/** Part and change as the resume table has them together. */
export type VersionDifference = {
  readonly [P in Part]: {
    readonly part: P;
    readonly change: Change[P];
    /** Of a model, tool or skill. */
    readonly name?: string;
    readonly from: string | null;
    readonly to: string | null;
  };
}[Part];

const single = ['policy', 'environment', 'code'] as const;

/** What differs, models first, each part in the order of its names. Nothing, where the one or the other is not known. */
export function versionDifferences(then: Versions, now: Versions): readonly VersionDifference[] {
  const noneLeft = Object.keys(now.models).length === 0;
  return [
    ...named(then.models, now.models).map((model) => ({
      ...model,
      part: 'model' as const,
      change: model.change === 'removed' && noneLeft ? ('none_left' as const) : model.change,
    })),
    ...(then.tools && now.tools ? named(then.tools, now.tools) : []).map((tool) => ({
      ...tool,
      part: 'tool' as const,
    })),
    ...(then.skills && now.skills ? named(then.skills, now.skills) : []).map((skill) => ({
      ...skill,
      part: 'skill' as const,
    })),
    ...single.flatMap((part) => {
      const [from, to] = [then[part], now[part]];
      return from === null || to === null || from === to ? [] : [{ part, change: 'changed' as const, from, to }];
    }),
  ];
}

type ByName = Readonly<Record<string, string | null>>;
interface Named {
  readonly name: string;
  readonly change: Change['tool'];
  readonly from: string | null;
  readonly to: string | null;
}

function named(then: ByName, now: ByName): readonly Named[] {
  return [...new Set([...Object.keys(then), ...Object.keys(now)])].sort().flatMap((name): Named[] => {
    const [from, to] = [then[name] ?? null, now[name] ?? null];
    if (!Object.hasOwn(now, name)) return [{ name, change: 'removed', from, to }];
    if (!Object.hasOwn(then, name)) return [{ name, change: 'added', from, to }];
    return from === null || to === null || from === to ? [] : [{ name, change: 'changed', from, to }];
  });
}
