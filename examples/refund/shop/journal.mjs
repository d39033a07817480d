import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * The shop's durable table: a file to which each committed operation adds one line of JSON.
 *
 *   I1  `append` returns when the line is on disk, so what was acknowledged survives SIGKILL and a loss of power.
 *   I2  A line counts when its line feed is there. What a crash left of one was acknowledged to nobody and is cut off.
 *   I3  One process writes; within it `append` blocks, so the order of lines is the order of what happened.
 */
export class Journal {
  /** Everything committed so far, in order: `{ seq, at, operation, key?, args }`. */
  lines = [];
  #fd;
  #length;

  /** Throws where the file holds something that this program did not write. */
  constructor(path) {
    mkdirSync(dirname(path), { recursive: true });
    const text = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    this.#length = text.lastIndexOf('\n') + 1; // I2
    this.lines = parse(path, text.subarray(0, this.#length).toString('utf8'));
    this.#fd = openSync(path, existsSync(path) ? 'r+' : 'w+');
    ftruncateSync(this.#fd, this.#length);
    fsyncSync(this.#fd);
    syncFolder(dirname(path));
  }

  /** Adds one line and returns it. Throws where the disk refuses it; the file is then as it was. */
  append(entry) {
    const line = { seq: this.lines.length + 1, at: new Date().toISOString(), ...entry };
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#length + done);
      fdatasyncSync(this.#fd); // I1
    } catch (error) {
      ftruncateSync(this.#fd, this.#length);
      throw error;
    }
    this.#length += bytes.length;
    this.lines.push(line);
    return line;
  }

  close() {
    closeSync(this.#fd);
  }
}

function parse(path, text) {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      try {
        const entry = JSON.parse(line);
        if (entry.seq === index + 1) return entry;
      } catch {
        // Said below, as for a line out of order.
      }
      throw new Error(`${path}:${index + 1} is no line of a shop's journal. Move the file away to begin anew.`);
    });
}

/** A file's name is durable only when its folder is. */
function syncFolder(path) {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
