// Logs problems of the cluster process to the stderr that it shares with krtscope. Escapes client data, so
// that it cannot control the terminal.
import {faultText, toOneLine} from '../terminal.ts';

/** `fault` is an unexpected error; its stack is logged. */
export function logProblem(sentence: string, fault?: unknown): void {
  const why = fault === undefined ? '' : `: ${faultText(fault)}`;
  process.stderr.write(`cluster: ${toOneLine(sentence)}${why}\n`);
}
