import { type EventContent, eventSchemaVersion } from './events';

/** An event as it was written. */
export interface StoredEvent {
  readonly type: string;
  readonly payload: object;
}
/** Brings what was written under one version to the next one; it gives back what it has nothing to change in. */
export type Upcaster = (event: StoredEvent) => StoredEvent;

/** By the version that they start from; each knows the one after it and no other. */
const upcasters: Readonly<Record<number, Upcaster>> = {};

/** Of an event that a newer Holdfast wrote: what its fields mean is not known here, and is not guessed. */
export class NewerEventError extends Error {
  override name = 'NewerEventError';
  constructor(
    /** Of the event. */
    readonly version: number,
    /** The newest that can be read here. */
    readonly readable: number,
  ) {
    super(
      `An event was written by a newer Holdfast: it has version ${version}, and this one reads versions up to ${readable}.`,
    );
  }
}

/**
 * A stored event as today's types have it, whatever version it was written under. Throws NewerEventError; a version with no upcaster
 * is a bug, and throws too.
 */
export function upcastEvent(
  stored: StoredEvent & { readonly version: number },
  { steps, newest }: { readonly steps: Readonly<Record<number, Upcaster>>; readonly newest: number } = {
    steps: upcasters,
    newest: eventSchemaVersion,
  },
): EventContent {
  const { version, type, payload } = stored;
  if (version > newest) throw new NewerEventError(version, newest);
  let event: StoredEvent = { type, payload };
  for (let at = version; at < newest; at += 1) {
    const step = steps[at];
    if (!step) throw new Error(`Nothing brings an event from version ${at} to ${at + 1}.`);
    event = step(event);
  }
  // Type and payload come from one row, which one EventContent was written to.
  return event as EventContent;
}
