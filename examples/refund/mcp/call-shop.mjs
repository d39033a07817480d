/**
 * Makes one request and says what the shop said, once: a second request would be a second send, which is the caller's to
 * decide. `structuredContent.error.committed` is `false` only where it is known that nothing was done.
 */
export async function callShop(shopUrl, { method, path, body, key }, signal) {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const request = { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) };
  try {
    const response = await fetch(new URL(path, shopUrl), request);
    const answer = await response.json();
    return response.ok
      ? told(answer)
      : failed(answer.error ?? { code: `HTTP_${response.status}`, message: 'No reason given.' });
  } catch (error) {
    return failed(failureOf(error, shopUrl));
  }
}

function told(answer) {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
}

function failed(error) {
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message}` }],
    structuredContent: { error },
  };
}

/** Only a connection that was never made proves that nothing was done; a connection that broke proves nothing. */
function failureOf(error, shopUrl) {
  if (error.cause?.code === 'ECONNREFUSED') {
    return { code: 'SHOP_AWAY', message: `Nothing listens on ${shopUrl}.`, committed: false };
  }
  return { code: 'NO_ANSWER', message: `The shop gave no answer: ${error.cause?.code ?? error.message}` };
}
