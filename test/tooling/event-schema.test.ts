import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Ajv from 'ajv';
import { seenBy } from '../../src/protocol/audiences';

const root = resolve(__dirname, '../..');
const published = JSON.parse(readFileSync(join(root, 'schema/event.schema.json'), 'utf8'));

test('R10.1 schema/event.schema.json is what the code writes; `npm run schemas` makes it', () => {
  const script =
    "import('./scripts/lib/event-schema.mjs').then(({ eventSchema }) => console.log(JSON.stringify(eventSchema())))";
  const made = execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
  expect(published).toEqual(JSON.parse(made));
});

test('R10.1 an event fits the published schema as a whole, and one of another shape does not', () => {
  const fits = new Ajv({ strict: false }).compile(published);
  const event = {
    event_id: 'repair/1/m4.0',
    thread_id: 'default/1',
    attempt_id: 'repair/1',
    turn_id: 'repair/1/t1',
    step_id: null,
    sequence: 3,
    event_type: 'ended',
    timestamp: '2026-01-01T00:00:00.000Z',
    payload: { state: 'COMPLETED', reason: 'success' },
    causation_id: 'repair/1/m4',
    correlation_id: 'attempt/default/repair/1',
    schema_version: 1,
    visibility_class: 'user',
    durability: 'persisted',
  };
  expect(fits(event)).toBe(true);
  for (const change of [
    { payload: { state: 'DONE', reason: 'success' } },
    { event_type: 'finished' },
    { more: 1 },
    { sequence: '3' },
  ])
    expect([change, fits({ ...event, ...change })]).toEqual([change, false]);
});

test('R10.1 it has every type that there is', () => {
  const types = published.oneOf.map(
    (one: { properties: { event_type: { const: string } } }) => one.properties.event_type.const,
  );
  expect(types.toSorted()).toEqual(Object.keys(seenBy).toSorted());
});
