// What a command of the terminal consists of: its flags, its help with examples, and what it does.
import type {CommandLine} from './command-line.ts';

export interface CommandFlag {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: boolean;
  /** The name of its value in the help. */
  value?: string;
  help: string;
  /** Words that completion offers as its value. */
  choices?: readonly string[];
}

export type CommandFlags = Readonly<Record<string, CommandFlag>>;

/** What completion offers for a word of the command. */
export type WordKind = 'collection' | 'key' | 'moment' | 'file' | 'shell' | 'text';

export interface CommandHelp {
  /** What follows `krtscope`, one line for each form. */
  usage: readonly string[];
  about: string;
  /** Command lines with what they are for. A test runs those of `krtscope`. */
  examples: readonly (readonly [line: string, purpose: string])[];
  /** Exit codes besides 0, 1 and 2. */
  exitCodes?: readonly (readonly [code: number, meaning: string])[];
}

export type CommandEnvironment = Record<string, string | undefined>;

export interface TerminalCommand extends CommandHelp {
  flags: CommandFlags;
  /** The kinds of its words. The last kind holds for all further words. */
  words: readonly WordKind[];
  run(line: CommandLine, env: CommandEnvironment): Promise<void>;
}

export interface CommandEntry {
  summary: string;
  load: () => Promise<TerminalCommand>;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;
