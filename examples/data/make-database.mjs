// Makes orders.sqlite of orders.csv: `node make-database.mjs [FILE]`.
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const file = process.argv[2] ?? beside('orders.sqlite');

rmSync(file, { force: true });
const database = new Database(file);
database.exec(
  `create table orders (
     order_no integer primary key,
     ordered_on text not null,
     region text not null,
     -- paid; returned: paid back; open: not paid yet
     status text not null check (status in ('paid', 'returned', 'open')),
     cents integer not null
   )`,
);
const insert = database.prepare('insert into orders values (?, ?, ?, ?, ?)');
const [, ...lines] = readFileSync(beside('orders.csv'), 'utf8').trim().split('\n');
for (const line of lines) {
  const [orderNo, orderedOn, region, status, cents] = line.split(',');
  insert.run(Number(orderNo), orderedOn, region, status, Number(cents));
}
database.close();
console.log(`${lines.length} orders in ${file}`);
