/**
 * The text, with every address in it cut down to what may be kept and shown (R10.4): of a web address scheme, host and
 * path, since a user or a query of it can be a token as well as a name; of any other no password.
 */
export function withoutCredentials(text: string): string {
  return text
    .replace(address, (_whole, scheme: string, rest: string) => scheme + clean(scheme, rest))
    .replace(short, '$1');
}

/** With one slash too: a slip of the pen makes no secret less secret. */
const address = /\b([a-z][a-z0-9+.-]+:\/+)([^\s'"<>]+)/gi;
/** Git's short form, `user@host:path`, with a password that git would not take. */
const short = /((?:^|[\s'"(])[^\s/:@'"]+):[^\s/@'"]+(?=@[^\s/:@'"]+[:/])/g;

function clean(scheme: string, rest: string): string {
  if (/^file:/i.test(scheme)) return rest; // a path, in which any sign is a letter
  const end = endOfUser(rest);
  const user = rest.slice(0, Math.max(end, 0));
  const place = rest.slice(end + 1);
  if (/^(https?|ftps?):/i.test(scheme)) return place.replace(/[?#].*$/, '');
  return end < 0 ? place : `${user.split(':', 1)[0]}@${place}`;
}

/** Position of the `@` before the host; -1 where there is no user. */
function endOfUser(rest: string): number {
  const authority = rest.split('/', 1)[0] ?? '';
  const end = authority.lastIndexOf('@');
  if (end >= 0 || /^(\[[^\]]*\]|[^:]*)(:\d*)?([?#]|$)/.test(authority)) return end;
  return rest.lastIndexOf('@'); // what follows the colon is no port: a password with a slash in it
}
