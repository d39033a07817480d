import { queuesOf } from '../../src/worker/queues';

test('R3.4 a worker polls everything, or what it is told', () => {
  expect(queuesOf([])).toEqual(['main', 'sealed']);
  expect(queuesOf(['--queue', 'sealed'])).toEqual(['sealed']);
  expect(queuesOf(['--queue', 'main'])).toEqual(['main']);
  expect(() => queuesOf(['--queue', 'other'])).toThrow('main or sealed');
  expect(() => queuesOf(['--queue'])).toThrow('main or sealed');
});
