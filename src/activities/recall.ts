import { ofAncestor } from '../domain/context/inherit-items';
import { itemLine } from '../domain/context/items/item-line';
import { type Pointer, readPointer } from '../domain/context/pointer';
import type { ProtectedItem } from '../domain/context/protected-item';
import { itemText } from '../domain/context/render-projection';
import type { ViewStep } from '../domain/context/view-facts';
import type { AttemptRef } from '../protocol/ids';
import { loadSteps } from './context/load-steps';
import { protectedItems } from './context/protected-items';
import type { ActivityDeps } from './deps';

/** Of a text in a list of steps: enough to know which of them is meant. */
const listedMaxChars = 200;

/** The original that a pointer of this attempt's view names (R13.3), read from the record; undefined where there is none. */
export async function recall(deps: ActivityDeps, ref: AttemptRef, text: string): Promise<string | undefined> {
  const pointer = readPointer(text);
  return pointer && (await recallPointer(deps, ref, pointer));
}

async function recallPointer(deps: ActivityDeps, ref: AttemptRef, pointer: Pointer): Promise<string | undefined> {
  const of = pointer.attempt === undefined ? ref : await deps.ledger.ancestor(ref, pointer.attempt);
  return of && (await find(deps, of, pointer));
}

async function find(deps: ActivityDeps, ref: AttemptRef, pointer: Pointer): Promise<string | undefined> {
  switch (pointer.to) {
    case 'step': {
      const [step] = await steps(deps, ref, pointer.step, pointer.step);
      return step && wholeStep(step);
    }
    case 'action': {
      const [step] = await steps(deps, ref, pointer.step, pointer.step);
      const call = step?.calls[pointer.index];
      return call && wholeCall(pointer.step, call, pointer.index);
    }
    case 'steps': {
      const found = await steps(deps, ref, pointer.from, pointer.upto);
      return found.length === 0 ? undefined : found.map(listedStep).join('\n');
    }
    case 'input':
      return deps.ledger.input(ref, pointer.ordinal);
    case 'list': {
      const items = (await listedItems(deps, ref, pointer.attempt)).filter(({ kind }) => kind === pointer.kind);
      return items.length === 0 ? 'There are none.' : items.map(itemText).join('\n');
    }
    case 'item': {
      const item = (await viewedItems(deps, ref)).find(({ id }) => id === pointer.id);
      if (item) return itemText(item);
      // What was true when it was pointed to may have changed since; what it was about is in the record all the same.
      const about = readPointer(pointer.id.slice(pointer.id.indexOf('/') + 1));
      return about && about.to !== 'item' && about.to !== 'list' ? await recallPointer(deps, ref, about) : undefined;
    }
  }
}

/** The items as the installed projection counts them; of the whole record where there is none. */
async function viewedItems(deps: ActivityDeps, ref: AttemptRef): Promise<readonly ProtectedItem[]> {
  const rows = await deps.ledger.view(ref);
  return (await protectedItems(deps, rows, rows.projection?.uptoStep ?? rows.attempt.step)).items;
}

/** Of an ancestor the items of its whole record, with pointers as this attempt has to give them. */
async function listedItems(
  deps: ActivityDeps,
  ref: AttemptRef,
  ancestor: string | undefined,
): Promise<readonly ProtectedItem[]> {
  if (ancestor === undefined) return viewedItems(deps, ref);
  const rows = await deps.ledger.view(ref);
  const { items } = await protectedItems(deps, rows, rows.attempt.step);
  return items.map((item) => ofAncestor(item, ancestor));
}

async function steps(deps: ActivityDeps, ref: AttemptRef, from: number, upto: number): Promise<readonly ViewStep[]> {
  return loadSteps(deps, ref.tenant, await deps.ledger.history(ref, from, upto));
}

const wholeStep = ({ step, text, calls }: ViewStep) =>
  [`Step ${step}.`, ...(text === '' ? [] : [text]), ...calls.map((call, index) => wholeCall(step, call, index))].join(
    '\n\n',
  );

const wholeCall = (step: number, { tool, rawArgs, output }: ViewStep['calls'][number], index: number) =>
  `s${step}.a${index} ${tool} ${rawArgs}\n${output ?? '(no answer yet)'}`;

function listedStep({ step, text, calls }: ViewStep): string {
  const short = (of: string) => itemLine(of).slice(0, listedMaxChars);
  const called = calls.map(
    ({ tool, rawArgs, output }, index) => `\n  s${step}.a${index} ${tool} ${short(rawArgs)} → ${short(output ?? '')}`,
  );
  return `s${step} ${short(text)}${called.join('')}`;
}
