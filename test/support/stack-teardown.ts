/** jest's globalTeardown: nothing of the shared stack is left, neither a process nor a file. */
export default async function teardown(): Promise<void> {
  const shared = globalThis.holdfastTestStack;
  globalThis.holdfastTestStack = undefined;
  await (await shared)?.end();
}
