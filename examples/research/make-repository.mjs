// Makes repository/, a git repository of documents/: `node make-repository.mjs [FOLDER]`. A repository cannot be kept inside another.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = process.argv[2] ?? beside('repository');
const git = (...args) => execFileSync('git', ['-C', folder, ...args]);

rmSync(folder, { recursive: true, force: true });
cpSync(beside('documents'), folder, { recursive: true });
git('init', '--quiet', '--initial-branch=main');
git('add', '.');
const author = [
  '-c',
  'user.name=Holdfast example',
  '-c',
  'user.email=example@holdfast.invalid',
  '-c',
  'commit.gpgsign=false',
];
git(...author, 'commit', '--quiet', '--no-verify', '-m', 'Documents on the flood of 1987');
console.log(`a repository in ${folder}`);
