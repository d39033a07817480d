import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** SHA-256 of a job's token, 64 hex digits: what is kept of it, and what its bearer is known by (R15.2). */
export const jobTokenHash = (token: string): string => bytesToHex(sha256(utf8ToBytes(token)));
