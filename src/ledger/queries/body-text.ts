/** A text in its row, or where it is kept. */
export type BodyRow = { readonly text: string } | { readonly hash: string; readonly bytes: number };

/** Null where the text is kept elsewhere. */
export function bodyText(body: BodyRow): string | null {
  return 'text' in body ? body.text : null;
}
