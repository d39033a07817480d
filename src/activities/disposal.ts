/** What becomes of one message; `write` is done once it is recorded as taken. */
export type Disposal =
  | { readonly kind: 'taken'; readonly write?: () => void }
  | { readonly kind: 'rejected'; readonly why: string }
  /** Meant for the call after this one. */
  | { readonly kind: 'left' };
