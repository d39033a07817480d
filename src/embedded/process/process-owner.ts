/** Another user that we, being root, run a process as. */
export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
  /** What else setpriv must grant it, where setpriv starts it. */
  readonly setprivArgs: readonly string[];
}
