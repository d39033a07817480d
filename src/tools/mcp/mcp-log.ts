import type { Logger } from 'pino';

/** What servers and calls are told to. No arguments of calls and no results: those are the ledger's (R10.4). */
export type McpLog = Pick<Logger, 'debug' | 'info' | 'warn'>;
