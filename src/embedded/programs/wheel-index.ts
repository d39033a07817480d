import { download } from './download';
import { fitsThisPlatform } from './wheel-platform';

export interface WheelFile {
  readonly filename: string;
  readonly url: string;
  /** Undefined where the index gives none: such a file is not used. */
  readonly sha256: string | undefined;
}

const indexTypes = 'application/vnd.pypi.simple.v1+json, text/html;q=0.5';

/**
 * The wheel of one version for this machine, from a registry's simple index (PEP 503 and 691).
 * Throws where the index cannot be read or has no such file with a checksum.
 */
export async function findWheel(indexUrl: string, project: string, version: string): Promise<WheelFile> {
  const url = `${indexUrl.replace(/\/+$/, '')}/${project}/`;
  const { body, contentType } = await download(url, { accept: indexTypes });
  const text = body.toString('utf8');
  const files = contentType.includes('json') ? filesOfJson(text, url) : filesOfHtml(text, url);
  const fits = files.find(({ filename, sha256 }) => {
    const [name, wheelVersion] = filename.split('-');
    return (
      name === project.replaceAll('-', '_') &&
      wheelVersion === version &&
      sha256 !== undefined &&
      fitsThisPlatform(filename)
    );
  });
  if (fits === undefined)
    throw new Error(`${url} has no wheel of ${project} ${version} for ${process.platform} ${process.arch}`);
  return fits;
}

/** PEP 691. Only what is read here is looked at. */
export function filesOfJson(text: string, base: string): readonly WheelFile[] {
  const index: unknown = JSON.parse(text);
  if (!isRecord(index) || !Array.isArray(index['files'])) throw new Error(`${base} is not a simple index`);
  return index['files'].filter(isRecord).flatMap((file) => {
    const { filename, url, hashes } = file;
    if (typeof filename !== 'string' || typeof url !== 'string') return [];
    const sha256 = isRecord(hashes) && typeof hashes['sha256'] === 'string' ? hashes['sha256'] : undefined;
    return [{ filename, url: new URL(url, base).href, sha256 }];
  });
}

/** PEP 503: anchors whose text is the file's name and whose link carries its hash. */
export function filesOfHtml(text: string, base: string): readonly WheelFile[] {
  return [...text.matchAll(/<a\s[^>]*href="([^"]+)"[^>]*>\s*([^<]+?)\s*<\/a>/gi)].map(
    ([, href = '', filename = '']) => {
      const url = new URL(href.replaceAll('&amp;', '&'), base);
      const sha256 = /^#sha256=([0-9a-f]{64})$/.exec(url.hash)?.[1];
      url.hash = '';
      return { filename, url: url.href, sha256 };
    },
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
