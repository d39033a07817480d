import { ofAncestor } from '../../domain/context/inherit-items';
import { itemLine } from '../../domain/context/items/item-line';
import { type Pointer, readPointer } from '../../domain/context/pointer';
import type { ProtectedItem } from '../../domain/context/protected-item';
import { itemText } from '../../domain/context/render-projection';
import type { ViewStep } from '../../domain/context/view-facts';
import type { RecordReader } from './record-reader';

/** Of a text in a list of steps: enough to know which of them is meant. */
const listedMaxChars = 200;

/**
 * The original that a pointer of a view names (R13.3); undefined where there is none. Throws where the object store has lost a
 * text of it.
 */
export async function followPointer(record: RecordReader, text: string): Promise<string | undefined> {
  const pointer = readPointer(text);
  return pointer && (await follow(record, pointer));
}

async function follow(record: RecordReader, pointer: Pointer): Promise<string | undefined> {
  if (pointer.attempt === undefined) return find(record, pointer);
  const ancestor = await record.ancestor(pointer.attempt);
  return ancestor && (await find(ancestor, pointer));
}

async function find(record: RecordReader, pointer: Pointer): Promise<string | undefined> {
  switch (pointer.to) {
    case 'step': {
      const step = await record.step(pointer.step);
      return step && wholeStep(step);
    }
    case 'action': {
      const call = (await record.step(pointer.step))?.calls[pointer.index];
      return call && wholeCall(pointer.step, call, pointer.index);
    }
    case 'steps': {
      const found = await record.steps(pointer.from, pointer.upto);
      return found.length === 0 ? undefined : found.map(listedStep).join('\n');
    }
    case 'input':
      return record.input(pointer.ordinal);
    case 'list': {
      const items = (await listedItems(record, pointer.attempt)).filter(({ kind }) => kind === pointer.kind);
      return items.length === 0 ? 'There are none.' : items.map(itemText).join('\n');
    }
    case 'item': {
      const item = (await record.items()).find(({ id }) => id === pointer.id);
      if (item) return itemText(item);
      // What was true when it was pointed to may have changed since; what it was about is in the record all the same.
      const about = readPointer(pointer.id.slice(pointer.id.indexOf('/') + 1));
      return about && about.to !== 'item' && about.to !== 'list' ? await follow(record, about) : undefined;
    }
  }
}

/** Of an ancestor the items of its whole record, with pointers as this attempt has to give them. */
async function listedItems(record: RecordReader, ancestor: string | undefined): Promise<readonly ProtectedItem[]> {
  if (ancestor === undefined) return record.items();
  return (await record.allItems()).map((item) => ofAncestor(item, ancestor));
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
