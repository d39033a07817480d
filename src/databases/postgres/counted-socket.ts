import { Socket } from 'node:net';

/** A connection that is cut once more has come than was allowed: what the driver would collect is never held. */
export class CountedSocket extends Socket {
  cut = false;

  constructor(bytesMax: number) {
    super();
    let bytes = 0;
    this.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax || this.cut) return;
      this.cut = true;
      this.destroy();
    });
  }
}
