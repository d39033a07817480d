import { type Client, isGrpcServiceError } from '@temporalio/client';
import { searchAttributeNames } from '../protocol/search-attributes';

/** gRPC's PERMISSION_DENIED and UNIMPLEMENTED: a service that does not tell is treated as one that has none. */
const untold = [7, 12];

/**
 * Whether all search attributes are registered in the client's namespace: an unregistered one would fail every start.
 * Rejects where nobody answers.
 */
export async function hasSearchAttributes(client: Client): Promise<boolean> {
  try {
    const { customAttributes } = await client.connection.operatorService.listSearchAttributes({
      namespace: client.options.namespace,
    });
    return Object.values(searchAttributeNames).every((name) => name in customAttributes);
  } catch (error) {
    if (isGrpcServiceError(error) && untold.includes(error.code)) return false;
    throw error;
  }
}
