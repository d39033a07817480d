/** Messages to an Attempt: rows of the inbox, woken by signals (M4). */
export interface SayBody {
  readonly text: string;
  readonly by?: string;
}
export interface CancelBody {
  readonly by: string;
  readonly reason?: string;
}
export type MessageContent =
  | { readonly kind: 'say'; readonly body: SayBody }
  | { readonly kind: 'cancel'; readonly body: CancelBody }
  /** A signal whose name or shape nobody knows: kept, rejected and shown, never acted on. */
  | { readonly kind: 'unknown'; readonly body: { readonly name: string; readonly why: string } };
export type MessageKind = MessageContent['kind'];

export type Message = MessageContent & {
  /** Given by the sender, else `signal/<ordinal>` or `update/<id>`; unique within the Attempt. */
  readonly id: string;
};

/** A hand-typed text may enter history; longer ones go through the CLI, which stores them first. */
export const maxTypedBytes = 16 * 1024;

export const signalNames = { say: 'say', cancel: 'cancel' } as const;

/** What an update handler answers once an activity's answer has named its message. */
export interface UpdateReply {
  readonly taken: boolean;
  readonly why?: string;
  readonly next?: string;
}
