/** A snapshot of a workspace as a git bundle in the object store. */
export interface BundleRow {
  readonly snapshot: string;
  /** The snapshot that has to be there before this one is read; null where the base commit is enough. */
  readonly thinOn: string | null;
  /** Of the body, and its size. */
  readonly hash: string;
  readonly bytes: number;
}
