// An MCP server over stdio that behaves as badly as its second argument says.
const { watchFile } = require('node:fs');
const { join } = require('node:path');
const { createInterface } = require('node:readline');
const { answer, folder, heard } = require('./behaviour.cjs');

const mode = process.argv[3];
heard({ started: process.pid, env: { token: process.env.SHOP_TOKEN, home: process.env.UNLISTED } });
if (mode === 'broken') {
  process.stderr.write(`cannot open the shop with ${process.env.SHOP_TOKEN}\n`);
  process.exit(3);
}
if (mode === 'deaf') process.on('SIGTERM', () => heard({ asked: 'SIGTERM' }));
if (mode === 'once' && require('node:fs').existsSync(join(folder, 'down'))) process.exit(4);

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const die = () => process.exit(9);
watchFile(join(folder, 'description'), { interval: 20 }, () =>
  send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }),
);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (mode === 'mute') return;
    const message = JSON.parse(line);
    if (mode === 'chatty') process.stdout.write('this line is no JSON\n');
    if (mode === 'no list' && message.method === 'tools/list') {
      send({ jsonrpc: '2.0', id: message.id, result: { tools: 'many' } });
      return;
    }
    const said = answer(message, die);
    if (said !== undefined) send(said);
  })
  .on('close', () => {
    if (mode === 'deaf' || mode === 'lingering') setInterval(() => {}, 1_000);
    else process.exit(0);
  });
