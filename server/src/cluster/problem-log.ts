// What the cluster's process says on the stderr that it shares with krtscope: whatever a client has sent, it is shown there
// and never obeyed.
import {faultText, toOneLine} from '../terminal.ts';

/** `fault`: an error that should not have come about, with its stack. */
export function logProblem(sentence: string, fault?: unknown): void {
  const why = fault === undefined ? '' : `: ${faultText(fault)}`;
  process.stderr.write(`cluster: ${toOneLine(sentence)}${why}\n`);
}
