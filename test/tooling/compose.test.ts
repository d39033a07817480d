import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { dynamicConfig, searchAttributes } from '../../src/embedded/temporal/temporal-settings';

const root = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

interface Service {
  image?: string;
  build?: string;
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  environment?: Record<string, string | null>;
  depends_on?: Record<string, { condition: string }>;
}
const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  read('docker-compose.yml'),
  { merge: true },
);
const services = Object.entries(compose.services);

/** They run to their end; others wait for that, not for a health check. */
const oneShot = ['temporal-schema', 'temporal-namespace'];

test('the installation has Temporal, its UI, PostgreSQL and a worker', () => {
  expect(Object.keys(compose.services).sort()).toEqual(
    [...oneShot, 'postgres', 'temporal', 'temporal-ui', 'worker'].sort(),
  );
});

test.each(services)('%s has an exact image, and a health check where it stays up', (name, service) => {
  if (service.image) expect(service.image).toMatch(/^(temporalio\/[a-z-]+:\d+\.\d+\.\d+|postgres:\d+)$/);
  else expect(existsSync(resolve(root, service.build ?? '', 'Dockerfile'))).toBe(true);
  expect(service.healthcheck !== undefined).toBe(!oneShot.includes(name));
});

test.each(services)('%s waits for services in a way that they can satisfy', (_name, service) => {
  for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
    expect({ needed, condition }).toEqual({
      needed,
      condition: oneShot.includes(needed) ? 'service_completed_successfully' : 'service_healthy',
    });
    expect(compose.services[needed]).toBeDefined();
  }
});

test.each(services)('%s mounts files that are there, and named volumes that are declared', (_name, service) => {
  for (const volume of service.volumes ?? []) {
    const [source = ''] = volume.split(':');
    if (source.startsWith('.')) expect(existsSync(resolve(root, source))).toBe(true);
    else expect(Object.keys(compose.volumes)).toContain(source);
  }
});

test('no port is open to other machines', () => {
  for (const port of services.flatMap(([, service]) => service.ports ?? [])) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('the server runs with the settings of the embedded one', () => {
  const file: Record<string, [{ value: unknown }]> = parse(read('docker/dynamic-config.yaml'));
  const settings = Object.entries(file).map(([key, [{ value }]]) => [key, JSON.stringify(value)]);

  expect(Object.fromEntries(settings)).toEqual(dynamicConfig);
});

test('the search attributes are those of the embedded server', () => {
  const registered = read('docker/set-up-namespace.sh').matchAll(/--name (\w+) --type Keyword/g);

  expect([...registered].map(([, name]) => name)).toEqual([...searchAttributes]);
});

test('what the image copies is there, and the programs that it starts are built from it', () => {
  const copies = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) =>
    from.split(' '),
  );

  expect(copies.length).toBeGreaterThan(0);
  expect(copies.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});
