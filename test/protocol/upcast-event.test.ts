import { eventSchemaVersion } from '../../src/protocol/events';
import { NewerEventError, type Upcaster, upcastEvent } from '../../src/protocol/upcast-event';

const stored = { type: 'action_started', payload: { index: 0, tool: 'read_file', try: 1 } };

test('R10.1 what was written under today’s version is read as it is', () => {
  expect(upcastEvent({ ...stored, version: eventSchemaVersion })).toEqual(stored);
});

test('R10.1 an older shape goes through every version between, in order', () => {
  const steps: Record<number, Upcaster> = {
    1: ({ type, payload }) => ({ type: type === 'tool_started' ? 'action_started' : type, payload }),
    2: ({ type, payload: { number, ...rest } }: { type: string; payload: { number?: number } }) => ({
      type,
      payload: number === undefined ? rest : { ...rest, try: number },
    }),
  };
  const old = { type: 'tool_started', payload: { index: 0, tool: 'read_file', number: 1 } };
  expect(upcastEvent({ ...old, version: 1 }, { steps, newest: 3 })).toEqual(stored);
  expect(upcastEvent({ ...stored, payload: old.payload, version: 2 }, { steps, newest: 3 })).toEqual(stored);
  expect(upcastEvent({ ...stored, version: 3 }, { steps, newest: 3 })).toEqual(stored);
});

test('R10.1 what a newer Holdfast wrote is told and not guessed', () => {
  const newer = () => upcastEvent({ ...stored, version: eventSchemaVersion + 1 });
  expect(newer).toThrow(NewerEventError);
  expect(newer).toThrow(/written by a newer Holdfast.*version 2.*up to 1/);
});

test('every version that was ever written has its way to today’s', () => {
  for (let version = 1; version <= eventSchemaVersion; version += 1)
    expect(() => upcastEvent({ ...stored, version })).not.toThrow();
});

test('a version that nothing leads on from is a bug, and loud', () => {
  expect(() => upcastEvent({ ...stored, version: 1 }, { steps: {}, newest: 2 })).toThrow(/from version 1 to 2/);
});
