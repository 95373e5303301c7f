// Colours for a terminal. Without one, or with NO_COLOR, texts stay as they are.
import type {CommandEnvironment} from './command.ts';

export type Paint = (text: string) => string;

export interface Colours {
  bold: Paint;
  dim: Paint;
  red: Paint;
  yellow: Paint;
  green: Paint;
}

const plain: Paint = text => text;
const wrap =
  (start: number, end: number): Paint =>
  text =>
    `\u001b[${start}m${text}\u001b[${end}m`;

export const noColours: Colours = {bold: plain, dim: plain, red: plain, yellow: plain, green: plain};
export const allColours: Colours = {
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  red: wrap(31, 39),
  yellow: wrap(33, 39),
  green: wrap(32, 39),
};

export function coloursFor(stream: {isTTY?: boolean}, env: CommandEnvironment): Colours {
  const isColoured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return isColoured ? allColours : noColours;
}

const bad =
  /^(failed|error|unknown|notready|evicted|oomkilled|.*(backoff|error|failed)|err\w+|exitcode:.*)$/i;
const waiting = /^(pending|suspended|terminating|containercreating|init:.*|.*pending|discarded|starting)$/i;
const good = /^(running|ready|active|complete|completed|succeeded|connected|current)$/i;

/** Colours a word that names a state. Other words stay as they are. */
export function paintState(text: string, colours: Colours): string {
  if (bad.test(text)) return colours.red(text);
  if (waiting.test(text)) return colours.yellow(text);
  return good.test(text) ? colours.green(text) : text;
}
