import {
  type JSONRPCMessage,
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { ServerProcess, type ServerProgram } from './server-process';
import { WholeLines } from './whole-lines';

export interface StdioOptions {
  readonly program: ServerProgram;
  /** Longest message that is read, bytes; one that is longer ends the server. */
  readonly maxMessageBytes: number;
  /** Gets what the server writes to its standard error, as WholeLines does; the last of it comes before `onclose`. */
  readonly onStderr: (line: string, whole: boolean) => void;
}

/**
 * The protocol over the standard input and output of a program, which this owns with all that it starts.
 *
 *   I1  A message that is refused here (NOT_CONNECTED) was not written; of any other nobody knows whether it was read.
 *   I2  `onclose` is called once for every start, at the latest when `close` resolves, which it does within 5 s.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #options: StdioOptions;
  readonly #read: ReadBuffer;
  readonly #words: WholeLines;
  #server: ServerProcess | undefined;
  #closing = false;
  #over = false;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#read = new ReadBuffer({ maxBufferSize: options.maxMessageBytes });
    this.#words = new WholeLines(options.onStderr);
  }

  /** With `stderr`, how the client knows that this is a program's. */
  get pid(): number | null {
    return this.#server?.pid ?? null;
  }
  readonly stderr = null;

  async start(): Promise<void> {
    if (this.#closing) throw notConnected();
    const server = await ServerProcess.start(this.#options.program);
    this.#server = server;
    server.stdout.on('data', (chunk: Buffer) => this.#hear(chunk));
    server.stderr.setEncoding('utf8').on('data', (text: string) => this.#words.add(text));
    server.stdin.on('error', (error) => this.onerror?.(error));
    void server.gone.then(() => this.#end());
    if (this.#closing) await this.close(); // it was to end while it was being started
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#server?.stdin;
    if (this.#closing || this.#over || !stdin?.writable) throw notConnected(); // I1
    await new Promise<void>((resolve) => stdin.write(serializeMessage(message), () => resolve()));
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (!this.#server) return;
    await this.#server.end();
    this.#end();
  }

  #hear(chunk: Buffer): void {
    try {
      this.#read.append(chunk);
    } catch (error) {
      this.#tell(error);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#read.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.#tell(error); // a line that is JSON and no message of the protocol
      }
    }
  }

  #tell(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  #end(): void {
    if (this.#over) return; // I2
    this.#over = true;
    this.#words.end();
    this.onclose?.();
  }
}

const notConnected = () => new SdkError(SdkErrorCode.NotConnected, 'Not connected');
