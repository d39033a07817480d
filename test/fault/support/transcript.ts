import { type EffectClass, effectClasses } from '../../../src/domain/effect/effect';
import type { Transcript } from '../../../src/models/scripted/transcript-schema';
import { shopToolKinds, shopToolName } from './shop-tools';

/** More steps than any attempt makes. */
const stepsMax = 50;
const template = { from: 1, to: stepsMax };

/** What an attempt is asked: one operation by one tool, or four operations in one proposal. */
export const askFor = (name: string) => `Please use ${name} now.`;
export const burstName = (effect: EffectClass) => `burst_${effect}`;

/** The operation is called after the task; of a burst, after the task and the place. */
export const burstOperation = (task: string, index: number) => `${task}-${index}`;
const burstSize = 4;

/** The model repeats what was refused, or what a person says did not happen, as a new action. */
export const faultTranscript: Transcript = {
  entries: [
    ...shopToolKinds.flatMap((kind) => {
      const name = shopToolName(kind);
      const asked = { lastUser: `use ${name} now` };
      const calls = [{ tool: name, args: { op: '{task}', nth: '{step}' } }];
      return [
        { ...template, when: { ...asked, lastTool: name, lastToolResult: '"code":"' }, calls },
        { ...template, when: { ...asked, lastTool: name }, text: 'Done.' },
        { ...template, when: asked, calls },
      ];
    }),
    ...effectClasses.flatMap((effect) => {
      const when = { lastUser: `use ${burstName(effect)} now` };
      const calls = burstTools(effect).map((tool, index) => ({
        tool,
        args: { op: burstOperation('{task}', index), nth: '{step}' },
      }));
      return [
        { from: 1, to: 1, when, calls },
        { from: 2, to: 2, when, text: 'Done.' },
      ];
    }),
  ],
};

/** Longer than a test takes, ms. */
const hesitatesMs = 60_000;

/** One operation, after which the model says nothing for so long that a cancel finds the attempt at work. */
export const hesitantTranscript: Transcript = {
  entries: shopToolKinds.map(shopToolName).flatMap((name) => {
    const asked = { lastUser: `use ${name} now` };
    return [
      { ...template, when: { ...asked, lastTool: name }, text: 'Done.', delayMs: hesitatesMs },
      { ...template, when: asked, calls: [{ tool: name, args: { op: '{task}' } }] },
    ];
  }),
};

/** Of one batch: the class stands second, where the burst is broken; an unsafe write, which is never local, stands last. */
export function burstTools(effect: EffectClass): string[] {
  const others = ['deduplicated_local_whole', 'probed_local_bare', 'idempotent_local_bare', 'deduplicated_local_bare'];
  if (effect === 'unsafe') return [...others.slice(0, burstSize - 1), 'unsafe_regular_bare'];
  const second = `${effect}_local_bare`;
  const [first = '', ...rest] = others.filter((name) => name !== second);
  return [first, second, ...rest].slice(0, burstSize);
}
