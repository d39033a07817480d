import { parseLocated } from '../../located-yaml/located-document';
import { type Transcript, transcriptSchema } from './transcript-schema';

/** Throws InputError, which names every problem with its place. `file` is only its name in problems. */
export function parseTranscript(file: string, text: string): Transcript {
  return parseLocated(file, text, transcriptSchema).value;
}
