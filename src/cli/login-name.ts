import { userInfo } from 'node:os';

/** Who acts, where nobody says: the login name, which a user without an entry in the system does not have. */
export function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
