// Log lines of a session on stderr.
import {toOneLine} from '../terminal.ts';

/** Escapes file names and texts of servers and formulas, which could fake lines or control the terminal. */
export const logLine = (sentence: string): string => `krtscope: ${toOneLine(sentence)}\n`;

export function log(sentence: string): void {
  process.stderr.write(logLine(sentence));
  endIfOutOfDescriptors(sentence);
}

/** Without descriptors no source, page or file can be opened. An uncaught error ends the process with a message. */
export function endIfOutOfDescriptors(problem: string): void {
  if (!/\bE[MN]FILE\b/.test(problem)) return;
  setImmediate(() => {
    throw Object.assign(new Error(problem), {code: 'EMFILE'});
  });
}
