import { grpcCall } from './grpc-call';

const health = '/grpc.health.v1.Health/Check';
const listSearchAttributes = '/temporal.api.operatorservice.v1.OperatorService/ListSearchAttributes';
const getSystemInfo = '/temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo';

/** Fails where the workflow service does not serve. */
export async function checkTemporalServes(address: string): Promise<void> {
  const answer = await grpcCall(address, health, stringField(1, 'temporal.api.workflowservice.v1.WorkflowService'));
  // HealthCheckResponse { status = SERVING }: field 1, varint 1.
  if (!answer.equals(Buffer.from([0x08, 0x01]))) throw new Error(`Temporal at ${address} is not serving yet`);
}

/** For instance `1.32.0`. */
export async function temporalServerVersion(address: string): Promise<string> {
  const answer = await grpcCall(address, getSystemInfo, Buffer.alloc(0));
  return answer[0] === tag(1) ? answer.subarray(2, 2 + (answer[1] ?? 0)).toString('utf8') : 'unknown';
}

/** Which of `names` are registered in the namespace. */
export async function registeredSearchAttributes(
  address: string,
  namespace: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const answer = await grpcCall(address, listSearchAttributes, stringField(1, namespace));
  // The answer is a map by name: an entry's key stands in it as its length, then its bytes.
  return names.filter((name) => answer.includes(stringField(1, name)));
}

/** A length-delimited field in protobuf; a name here is never longer than the 127 bytes that fit one length byte. */
function stringField(field: number, value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([Buffer.from([tag(field), bytes.length]), bytes]);
}

const lengthDelimited = 2;
const tag = (field: number) => (field << 3) | lengthDelimited;
