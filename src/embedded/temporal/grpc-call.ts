import { connect } from 'node:http2';

/** A server on this machine or in this network answers in milliseconds; past this it is not ready. */
const defaultTimeoutMs = 1_000;

/**
 * One unary gRPC call without TLS; message in and answer out are protobuf bytes.
 *
 * Hand-made from node:http2 so that starting the servers needs neither the native SDK nor a client library.
 * Rejects where the server cannot be reached in time or answers with a status other than OK.
 */
export function grpcCall(
  address: string,
  method: string,
  message: Buffer,
  timeoutMs = defaultTimeoutMs,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const session = connect(`http://${address}`);
    const fail = (error: Error) => {
      clearTimeout(timer);
      session.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(new Error(`${address} did not answer ${method} within ${timeoutMs} ms`)),
      timeoutMs,
    );
    session.on('error', fail);

    const stream = session.request({
      ':method': 'POST',
      ':path': method,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    const statuses: unknown[] = [];
    stream.on('error', fail);
    // An answer without a body carries its status in the headers, any other in the trailers.
    stream.on('response', (headers) => statuses.push(headers['grpc-status']));
    stream.on('trailers', (headers) => statuses.push(headers['grpc-status']));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const status = statuses.find((value) => value !== undefined);
      if (status !== '0') return fail(new Error(`${address} answered ${method} with gRPC status ${String(status)}`));
      clearTimeout(timer);
      session.close();
      resolve(Buffer.concat(chunks).subarray(framePrefixBytes));
    });
    stream.end(frame(message));
  });
}

/** One byte that says "not compressed", then the length. */
const framePrefixBytes = 5;

function frame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(framePrefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
