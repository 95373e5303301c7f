// What main can tell the engine process to do, beside feeding it and asking it: one entry a command here, one in
// host/commands.ts. The supervisor remembers what stands, and tells a new process before it replays the objects.
import type {SourceSpec} from './link.ts';

/** By name: what a command carries and what comes back. Plain JSON both. */
export interface Commands {
  /** A source that is written to from now on. Refused (`taken`) if a collection has its name. */
  'add-source': {takes: {source: SourceSpec}; gives: {name: string}};
  /** Its rows are deleted in one batch, then it is gone. Refused (`in-use`) while others read it. */
  'drop-source': {takes: {name: string}; gives: {name: string}};
}

export type CommandName = keyof Commands;
export type Command = {[N in CommandName]: {command: N} & Commands[N]['takes']}[CommandName];
export type CommandAnswer<N extends CommandName> = Commands[N]['gives'];

interface Rule<C> {
  /** What it is about: of two that stand, the later one about the same thing takes the earlier one's place. */
  about(command: C): string;
  /** `stands`: a new process is told again. `ends`: what stood about the same thing no longer does. */
  lasts: 'stands' | 'ends';
  /** What must be told before it, in the words of `about`; unknown ones do not matter. */
  after?(command: C): readonly string[];
  /** A collection whose objects main need not hold any more from the moment this is sent. */
  forgets?(command: C): string;
}

type Rules = {[N in CommandName]: Rule<Extract<Command, {command: N}>>};

const rules: Rules = {
  'add-source': {about: ({source}) => source.collection, lasts: 'stands'},
  'drop-source': {about: ({name}) => name, lasts: 'ends', forgets: ({name}) => name},
};

/** The rule of a command, its parts applied to it. */
export function ruleOf(command: Command): {
  about: string;
  stands: boolean;
  after: readonly string[];
  forgets: string | undefined;
} {
  // Each rule takes its own command: the table's type says so, and a lookup by name cannot.
  const rule = rules[command.command] as Rule<Command>;
  return {
    about: rule.about(command),
    stands: rule.lasts === 'stands',
    after: rule.after?.(command) ?? [],
    forgets: rule.forgets?.(command),
  };
}
