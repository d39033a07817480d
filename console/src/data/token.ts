import { signal } from '@preact/signals';

/** Kept for this tab alone, so that a computer that is shared forgets it with the tab. */
const key = 'holdfast-token';

export const token = signal(sessionStorage.getItem(key) ?? '');

export function setToken(text: string): void {
  token.value = text;
  if (text === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, text);
}

/** `#token=…`, as `holdfast up` prints it, is taken out of the address: it is not to be copied or kept with it. */
export function takeTokenFromAddress(): void {
  const [, given] = /^#token=([\w.-]+)$/.exec(location.hash) ?? [];
  if (given === undefined) return;
  setToken(given);
  history.replaceState(null, '', location.pathname);
}
