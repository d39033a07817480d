/** Who works for which version of a deployment, and what is held to which. A version is written `deployment.build`. */
export interface WorkerVersions {
  /** Those whose workers poll, with what takes new attempts of their deployment; undefined where nothing does. */
  readonly polled: readonly { readonly version: string; readonly current: string | undefined }[];
  /** Open attempts by the version that they are held to; those that began on workers without versions are in none. */
  readonly held: readonly { readonly version: string; readonly attempts: readonly string[] }[];
}
