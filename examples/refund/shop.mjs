#!/usr/bin/env node
// A small shop: orders, refunds, transfers, mails; over HTTP on this machine, with faults on demand.
//   node shop.mjs [--port 4010] [--data .shop] [--until-stdin-ends]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Faults } from './shop/faults.mjs';
import { createShopServer } from './shop/http.mjs';
import { Journal } from './shop/journal.mjs';
import { seedOrders } from './shop/orders.mjs';
import { Shop } from './shop/shop.mjs';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' }, // 0: any that is free
    data: { type: 'string', default: '.shop' },
    'until-stdin-ends': { type: 'boolean', default: false }, // for whoever starts it and may be killed
  },
});

const path = join(options.data, 'journal.jsonl');
const journal = openJournal();
const shop = new Shop(journal);
for (const order of seedOrders) shop.perform('open_order', order);
const faults = new Faults();
const server = createShopServer(shop, faults);

server.once('error', (error) => giveUp(`The shop cannot listen on port ${options.port}`, error));
server.listen(Number(options.port), '127.0.0.1', () => {
  console.log(`shop http://127.0.0.1:${server.address().port} journal ${path}`);
});

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
if (options['until-stdin-ends']) process.stdin.resume().once('end', stop).once('error', stop);

/** What is held before its commit is not done; every line in the journal is whole in any case. */
function stop() {
  server.close();
  server.closeAllConnections();
  journal.close();
  process.exit(0);
}

function openJournal() {
  try {
    return new Journal(path);
  } catch (error) {
    return giveUp('The shop cannot open its journal', error);
  }
}

function giveUp(what, error) {
  console.error(`${what}: ${error.message}`);
  process.exit(1);
}
