/** `https://…`, `ssh://…`, `file://…`, or git's short form `user@host:path`. */
export function isUrl(git: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(git) || /^[^/\s]+@[^/\s]+:/.test(git);
}
