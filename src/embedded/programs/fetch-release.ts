import { spawnSync } from 'node:child_process';
import { download } from './download';
import type { ServerProgram } from './server-programs';

/** The service that Temporal's SDKs download their servers from. */
const releaseService = 'https://temporal.download';
/** Many networks block it, some by dropping packets: then the next place is tried soon. */
const blockedAfterMs = 3_000;
/** The largest of the programs unpacks to about 160 MB. */
const maxProgramBytes = 512 * 1024 * 1024;

const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin' };
const archs: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The program out of the archive that Temporal's own download service names for this machine. */
export async function fetchRelease(
  program: ServerProgram,
  tell: (text: string) => void,
  service: string = releaseService,
): Promise<Uint8Array> {
  const query = new URLSearchParams({
    platform: platforms[process.platform] ?? process.platform,
    arch: archs[process.arch] ?? process.arch,
    format: 'tar.gz',
  });
  const info = await download(`${service}/${program.download}?${query}`, { connectTimeoutMs: blockedAfterMs });
  const { archiveUrl, fileToExtract } = releaseInfo(info.body.toString('utf8'));
  tell(`downloading ${archiveUrl}`);
  const { body } = await download(archiveUrl, { connectTimeoutMs: blockedAfterMs });
  const tar = spawnSync('tar', ['-xzOf', '-', fileToExtract], { input: body, maxBuffer: maxProgramBytes });
  if (tar.error !== undefined) throw tar.error;
  if (tar.status !== 0) throw new Error(`tar could not unpack ${archiveUrl}: ${tar.stderr.toString('utf8').trim()}`);
  return tar.stdout;
}

function releaseInfo(text: string): { archiveUrl: string; fileToExtract: string } {
  const info: unknown = JSON.parse(text);
  if (typeof info === 'object' && info !== null && 'archiveUrl' in info && 'fileToExtract' in info) {
    const { archiveUrl, fileToExtract } = info;
    if (typeof archiveUrl === 'string' && typeof fileToExtract === 'string') return { archiveUrl, fileToExtract };
  }
  throw new Error(`${releaseService} answered something else than a release`);
}
