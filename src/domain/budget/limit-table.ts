import type { ExceededLimit, LimitName } from './account';

/** A limit as people write it: in a task file, in the configuration, behind `--budget`, and in a message. */
export interface LimitRow {
  readonly written: string;
  /** How many of the limit's own units one of the written ones is. */
  readonly units: number;
  /** What its amounts are, for whoever shows them. */
  readonly measure: 'count' | 'time' | 'money';
  /** Whether part of a written unit may be written. */
  readonly whole: boolean;
}

const msPerSecond = 1_000;
export const microUsdPerUsd = 1_000_000;

const count = { units: 1, measure: 'count', whole: true } as const;

// biome-ignore format: a table is read by its columns
export const limitTable = {
  maxTurns:          { written: 'maxTurns', ...count },
  maxToolCalls:      { written: 'maxToolCalls', ...count },
  maxSameToolErrors: { written: 'maxSameToolErrors', ...count },
  maxRuntimeMs:      { written: 'maxRuntimeSeconds', units: msPerSecond, measure: 'time', whole: true },
  maxTokens:         { written: 'maxTokens', ...count },
  maxCostMicroUsd:   { written: 'maxCostUsd', units: microUsdPerUsd, measure: 'money', whole: false },
  maxRepairs:        { written: 'maxRepairs', ...count },
} as const satisfies Readonly<Record<LimitName, LimitRow>>;

export type WrittenLimit = (typeof limitTable)[LimitName]['written'];

/** The one limit that no task file and no `resume` can raise: it is the operator's. */
export const tenantLimit = 'tenantMaxCostMicroUsd' satisfies ExceededLimit;
const tenantRow: LimitRow = {
  written: 'tenants.maxCostUsd',
  units: microUsdPerUsd,
  measure: 'money',
  whole: false,
};

const rows: readonly [LimitName, LimitRow][] = Object.entries(limitTable) as [LimitName, LimitRow][];
const byWritten: ReadonlyMap<string, LimitName> = new Map(rows.map(([limit, { written }]) => [written, limit]));

/** As people write them, in the order of the table. */
export const writtenLimits: readonly string[] = [...byWritten.keys()];

/** The row of what refused a call. */
export const limitRow = (limit: ExceededLimit): LimitRow => (limit === tenantLimit ? tenantRow : limitTable[limit]);

/** The limit that is written so; undefined where none is. */
export const limitWritten = (name: string): LimitName | undefined => byWritten.get(name);

/** An amount that was written, in the limit's own units. */
export const toUnits = (limit: LimitName, written: number): number => Math.round(written * limitTable[limit].units);
