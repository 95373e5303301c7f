// Checks calls of string.format whose text and list are literals, with the errors of Kubernetes.
import {type CelType, isDyn} from '../types.ts';
import {typeValueName} from '../values.ts';

/** What each verb says about a value that it cannot format. */
export const FORMAT_ERRORS = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
} as const;

export type FormatVerb = keyof typeof FORMAT_ERRORS;

const FITTING: Record<FormatVerb, readonly string[]> = {
  s: ['string', 'bool', 'bytes', 'int', 'uint', 'double', 'null', 'duration', 'timestamp'],
  d: ['int', 'uint'],
  // "NaN" and "Infinity" are doubles, too.
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'bytes', 'string'],
  o: ['int', 'uint'],
};

/** A verb with its precision, or the reason why the clause cannot be read. */
export type FormatClause = {verb: FormatVerb; upper: boolean; digits: number | undefined} | {problem: string};

/** Reads the clause after a `%`. `end` is the index after it. */
export function readClause(template: string, start: number): {clause: FormatClause; end: number} {
  const match = /^(\.(\d*))?(.)?/su.exec(template.slice(start))!;
  const [whole, precision, digits, verb] = match;
  const problem = (text: string) => ({clause: {problem: text}, end: start + whole.length});
  if (digits === '')
    return problem(
      'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    );
  if (verb === undefined)
    return problem(precision ? 'could not find end of precision specifier' : 'unexpected end of string');
  const lower = verb === 'X' ? 'x' : verb;
  if (!Object.hasOwn(FITTING, lower))
    return problem(
      `could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(verb)}`,
    );
  return {
    clause: {
      verb: lower as FormatVerb,
      upper: verb === 'X',
      digits: digits === undefined ? undefined : Number(digits),
    },
    end: start + whole.length,
  };
}

export interface FormatProblem {
  /** The index of the argument; undefined for a problem of the text. */
  argument?: number;
  message: string;
}

/** The first problem of a format call with these arguments. */
export function formatProblem(template: string, types: readonly CelType[]): FormatProblem | undefined {
  let next = 0;
  for (let i = template.indexOf('%'); i >= 0; ) {
    if (template[i + 1] === '%') {
      i = template.indexOf('%', i + 2);
      continue;
    }
    if (i + 1 < template.length && next >= types.length) return {message: `index ${next} out of range`};
    const {clause, end} = readClause(template, i + 1);
    if ('problem' in clause) return {message: clause.problem};
    const type = types[next]!;
    if (!fitsVerb(clause.verb, type))
      return {
        argument: next,
        message: `error during formatting: ${FORMAT_ERRORS[clause.verb]}, was given ${typeValueName(type)}`,
      };
    next++;
    i = template.indexOf('%', end);
  }
  if (next < types.length)
    return {
      message: `too many arguments supplied to string.format (expected ${next}, got ${types.length})`,
    };
  return undefined;
}

function fitsVerb(verb: FormatVerb, type: CelType): boolean {
  if (isDyn(type) || type.kind === 'parameter') return true;
  if (type.kind === 'simple') return FITTING[verb].includes(type.name);
  return verb === 's' && (type.kind === 'list' || type.kind === 'map' || type.kind === 'type');
}
