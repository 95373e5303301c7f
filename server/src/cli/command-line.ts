// Parses the words after a command into flags and other words. Throws UsageError.
import {parseArgs} from 'node:util';
import {UsageError} from '../usage-error.ts';
import type {CommandFlags, CommandHelp} from './command.ts';

export class CommandLine {
  readonly words: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(words: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.words = words;
    this.#values = values;
  }

  text(flag: string): string | undefined {
    return this.#values[flag] as string | undefined;
  }

  has(flag: string): boolean {
    return this.#values[flag] === true;
  }

  list(flag: string): readonly string[] {
    return (this.#values[flag] as string[] | undefined) ?? [];
  }

  /** A whole number from `min` up; undefined without the flag. */
  number(flag: string, min = 0): number | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= min) return number;
    throw new UsageError(`--${flag} is "${text}"; give a whole number from ${min} up`);
  }

  /** Milliseconds of a duration such as 30s, 5m or 1h. */
  duration(flag: string): number | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? [];
    if (number === undefined)
      throw new UsageError(`--${flag} is "${text}"; give a time such as 30s, 5m or 1h`);
    return Number(number) * (unitMs[unit ?? 's'] as number);
  }

  /** One of the choices; undefined without the flag. */
  choice<C extends string>(flag: string, choices: readonly C[]): C | undefined {
    const text = this.text(flag);
    if (text === undefined || choices.includes(text as C)) return text as C | undefined;
    throw new UsageError(`--${flag} is "${text}"; give ${choices.join(', ')}`);
  }
}

const unitMs: Record<string, number> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

export function parseCommandLine(command: string, args: readonly string[], flags: CommandFlags): CommandLine {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, {type, short, multiple}]) => [
      name,
      {type, ...(short === undefined ? {} : {short}), ...(multiple === true ? {multiple} : {})},
    ]),
  );
  try {
    const {values, positionals} = parseArgs({
      args: joinDashes(args, flags),
      options,
      allowPositionals: true,
      strict: true,
    });
    return new CommandLine(positionals, values);
  } catch (error) {
    // Keep only the first sentence: the rest is advice about Node's parser.
    const [message] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${message}; krtscope ${command} --help lists the flags`);
  }
}

/** The index of the first argument that is neither a flag nor its value. */
export function findCommandWord(args: readonly string[], flags: CommandFlags): number {
  let at = 0;
  while (args[at]?.startsWith('-')) at += findValueFlag(args[at] as string, flags) === undefined ? 1 : 2;
  return at;
}

/** The long name of the flag, if it takes the next word as its value. */
export function findValueFlag(word: string, flags: CommandFlags): string | undefined {
  return Object.entries(flags).find(
    ([name, {type, short}]) =>
      type === 'string' && (word === `--${name}` || (short !== undefined && word === `-${short}`)),
  )?.[0];
}

// Node's parser refuses `--sort -name` and `-q "-l app=web"`, so join the flag and its value.
function joinDashes(args: readonly string[], flags: CommandFlags): string[] {
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [word, next] = [args[i] as string, args[i + 1]];
    const name = findValueFlag(word, flags);
    if (name === undefined || next === undefined || !/^-[^-]/.test(next) || findValueFlag(next, flags)) {
      joined.push(word);
      continue;
    }
    joined.push(`--${name}=${next}`);
    i++;
  }
  return joined;
}

export function usageError({usage}: Pick<CommandHelp, 'usage'>): UsageError {
  return new UsageError(`usage: ${usage.map(line => `krtscope ${line}`).join(' | ')}`);
}
