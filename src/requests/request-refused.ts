/** Why a request is refused; who passes it on has a table of these (exit codes, HTTP statuses). */
export type RefusalCode =
  /** What was sent cannot be read, or says nothing. */
  | 'invalid'
  /** There is no such attempt, action or checkpoint. */
  | 'not_found'
  /** It could mean several. */
  | 'ambiguous'
  /** The attempt has ended, and takes nothing any more. */
  | 'ended'
  /** Nothing waits for it. */
  | 'not_pending'
  /** The attempt took the message and refused it; or what is asked for cannot be done with this one. */
  | 'rejected'
  /** An attempt of the task runs under another contract, first message, model or budget, or in another number. */
  | 'other_contract'
  /** Policy asks for somebody else, or for another way to answer. */
  | 'refused_by_policy'
  /** The configuration does not allow it. */
  | 'not_allowed'
  /** The configuration names none of the attempt's models, so no step could be taken. */
  | 'no_model'
  /** The contract needs another sealed test. */
  | 'seal_broken'
  /** It is stored, and no worker lives that could take it. */
  | 'no_worker'
  /** The database or Temporal cannot be used. */
  | 'unreachable';

/** Something that whoever asked can act on: what is wrong, and as `next` the step that mends it, in words of the command line. */
export class RequestRefused extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly next?: string,
  ) {
    super(message);
    this.name = 'RequestRefused';
  }
}
