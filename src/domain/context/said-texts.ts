import type { ViewInput } from './view-facts';

/** Repeated whole, the newest first: about 8,000 tokens in UTF-16 units, which leaves a small context room for the work. */
const wholeMax = 32_000;
/** Of what is older, beginnings, so that nothing that was asked for goes unseen: twenty of them. UTF-16 units. */
const beginningsMax = 4_000;
/** A beginning says what the message is about; the rest is recalled. UTF-16 units. */
const beginningMax = 200;

/** What the user said, oldest first, where it no longer stands beside the steps that it was said in (R13.2). */
export function saidTexts(inputs: readonly ViewInput[]): readonly string[] {
  const texts: string[] = [];
  let whole = wholeMax;
  let beginnings = beginningsMax;
  for (const [index, { ordinal, text }] of [...inputs.entries()].toReversed()) {
    whole -= text.length;
    if (whole < 0) beginnings -= beginningMax;
    if (beginnings < 0) {
      texts.push(earlier(inputs.slice(0, index + 1)));
      break;
    }
    texts.push(whole >= 0 || text.length <= beginningMax ? text : `${text.slice(0, beginningMax)} ${rest(ordinal)}`);
  }
  return texts.toReversed();
}

const rest = (ordinal: number) => `[… the rest of this message: recall {"pointer":"input/${ordinal}"} …]`;

function earlier(inputs: readonly ViewInput[]): string {
  const pointers = [...new Set([inputs[0], inputs.at(-1)])].map(
    (input) => `recall {"pointer":"input/${input?.ordinal}"}`,
  );
  return `[${inputs.length} earlier messages of the user are not shown: ${pointers.join(' to ')}]`;
}
