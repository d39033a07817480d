import type { Session } from '../requests/session';
import { commandsFor } from '../requests/words/commands-for';
import { note, say } from './output';

/** One line for a person, whose commands are for the tenant that it is about. */
export const tell = ({ tenant }: Pick<Session, 'tenant'>, line: string): void => say(commandsFor(tenant, line));

/** The same, of the work itself. */
export const tellAside = ({ tenant }: Pick<Session, 'tenant'>, line: string): void => note(commandsFor(tenant, line));
