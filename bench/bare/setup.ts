/** What the bare worker is told; its first argument, as JSON. */
export interface BareSetup {
  readonly databaseUrl: string;
  readonly address: string;
  readonly namespace: string;
  readonly modelUrl: string;
}
export const bareTaskQueue = 'bare';
