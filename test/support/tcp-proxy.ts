import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server on 127.0.0.1 that can be cut, closed and opened again, or fall silent. */
export class TcpProxy {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private silent = false;
  port = 0;

  private constructor(private readonly target: { host: string; port: number }) {}

  /** To `host:port`. */
  static async to(address: string): Promise<TcpProxy> {
    const [host = '127.0.0.1', port = ''] = address.split(':');
    const proxy = new TcpProxy({ host, port: Number(port) });
    await proxy.up();
    return proxy;
  }

  /** Listens, on the port that it had before. */
  async up(): Promise<void> {
    const server = createServer((near) => this.join(near));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address === 'object' && address) this.port = address.port;
    this.server = server;
  }

  /** Ends every connection and refuses new ones. */
  async down(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = server && once(server, 'close');
    server?.close();
    this.cut();
    await closed;
  }

  /** Ends every connection; new ones are taken. */
  cut(): void {
    for (const socket of this.sockets) {
      // A socket that is being ended already keeps its handle for ever when it is reset, and the process does not end.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  /** Keeps every connection and lets nothing through, until `speak`. */
  hush(): void {
    this.silent = true;
    for (const socket of this.sockets) socket.pause();
  }
  speak(): void {
    this.silent = false;
    for (const socket of this.sockets) socket.resume();
  }

  private join(near: Socket): void {
    const far = connect(this.target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.on('end', () => to.end());
      if (this.silent) from.pause();
    }
  }
}
