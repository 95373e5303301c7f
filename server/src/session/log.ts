// What a session tells whoever started krtscope: a line a sentence, on stderr.
import {oneLine} from '../terminal.ts';

/** Names of files, and what a server or a formula said, neither speak to the terminal nor pass for a line of ours. */
export const logLine = (sentence: string): string => `krtscope: ${oneLine(sentence)}\n`;

export function log(sentence: string): void {
  process.stderr.write(logLine(sentence));
}
