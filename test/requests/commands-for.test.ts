import { commandsFor } from '../../src/requests/words/commands-for';

test.each([
  ['`holdfast show a/1` says how', '`holdfast show a/1 --tenant acme` says how'],
  ['"holdfast inbox" lists what does', '"holdfast inbox --tenant acme" lists what does'],
  ['then `holdfast say a/1 "go on"` lets it', 'then `holdfast say a/1 "go on" --tenant acme` lets it'],
  ['`holdfast watch a/1 --tenant acme` goes on', '`holdfast watch a/1 --tenant acme` goes on'],
  ['Start one: `holdfast up`; see `holdfast doctor`', 'Start one: `holdfast up`; see `holdfast doctor`'],
  ['read by "holdfast policy check" again', 'read by "holdfast policy check" again'],
  ['`git diff a b` shows it', '`git diff a b` shows it'],
])('R12.5 a command that is printed names its tenant: %s', (text, expected) => {
  expect(commandsFor('acme', text)).toBe(expected);
  expect(commandsFor('default', text)).toBe(text);
});
