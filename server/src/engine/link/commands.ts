// What main can tell the engine process to do, beside feeding it and asking it: one entry a command here, one in
// host/commands.ts. The supervisor remembers what stands, and tells a new process before it replays the objects.
import type {FormulaKind, ModuleFile, RowError} from '@krtscope/shared/formulas.ts';
import type {FormulaTrouble} from '@krtscope/shared/vocabulary.ts';
import type {SourceSpec} from './engine-link.ts';
import type {CompiledCode} from './lab-messages.ts';

/** A formula as it is to be kept: what main compiled, and the text that it came from. */
export interface InstallableFormula {
  name: string;
  kind: FormulaKind;
  input?: string;
  /** As it was typed: recordings carry it. */
  code: string;
  /** Of code, kind and input: what a quarantine names. */
  hash: string;
  /** Every collection that the code names, the input among them. */
  reads: string[];
  /** Absent: there is nothing that could run. */
  compiled?: CompiledCode;
  /** What somebody has to know: of `compiled` if it is quarantined, else of a newer text that could not take its place. */
  trouble?: {state: FormulaTrouble; error: RowError};
}

/** A graph module: every file of it, compiled, and where its sources are. */
export interface InstallableModule {
  /** Its file in the folder. */
  name: string;
  hash: string;
  compiled?: CompiledCode;
  /** As they were typed: recordings carry them. */
  files: ModuleFile[];
  /** By what the module calls them, the collections of its sources. */
  sources: Record<string, string>;
  trouble?: {state: FormulaTrouble; error: RowError};
}

/** By name: what a command carries and what comes back. Plain JSON both. */
export interface Commands {
  /** A source that is written to from now on. Refused (`taken`) if a collection has its name. */
  'add-source': {takes: {source: SourceSpec}; gives: {name: string}};
  /** Its rows are deleted in one batch, then it is gone. Refused (`in-use`) while others read it. */
  'drop-source': {takes: {name: string}; gives: {name: string}};
  /** Takes the place of what has its name, if that is a formula; what reads it runs again. Refused (`taken`) otherwise. */
  'put-formula': {takes: {formula: InstallableFormula}; gives: {name: string}};
  /** As drop-source. Who only names it is a reader, too; with `force` those are left to wait for it. */
  'drop-formula': {takes: {name: string; force?: boolean}; gives: {name: string}};
  /** Built and swapped in, or kept as it was with `trouble`. `needs`: a resource that has to be a source first. */
  'put-module': {
    takes: {module: InstallableModule};
    gives: {name: string; collections: string[]; trouble?: InstallableModule['trouble']; needs?: string};
  };
  'drop-module': {takes: {name: string}; gives: {name: string}};
}

export type CommandName = keyof Commands;
export type Command = {[N in CommandName]: {command: N} & Commands[N]['takes']}[CommandName];
export type CommandAnswer<N extends CommandName> = Commands[N]['gives'];

interface CommandRule<C> {
  /** What it is about: of two that stand, the later one about the same thing takes the earlier one's place. */
  about(command: C): string;
  /** `stands`: a new process is told again. `ends`: what stood about the same thing no longer does. */
  lasts: 'stands' | 'ends';
  /** What must be told before it, in the words of `about`; unknown ones do not matter. */
  after?(command: C): readonly string[];
  /** A collection whose objects main need not hold any more from the moment this is sent. */
  forgets?(command: C): string;
  /** What is told instead once the formula in it has ended a process; undefined: it is none of that formula's. */
  quarantined?(command: C, culprit: Culprit, error: RowError): C | undefined;
}

/** The formula that was running when the engine process fell silent or died. */
export interface Culprit {
  name: string;
  hash: string;
}

type CommandRules = {[N in CommandName]: CommandRule<Extract<Command, {command: N}>>};

const commandRules: CommandRules = {
  'add-source': {about: ({source}) => source.collection, lasts: 'stands'},
  'drop-source': {about: ({name}) => name, lasts: 'ends', forgets: ({name}) => name},
  'put-formula': {
    about: ({formula}) => formula.name,
    lasts: 'stands',
    after: ({formula}) => formula.reads,
    quarantined: (command, culprit, error) =>
      command.formula.hash === culprit.hash
        ? {...command, formula: {...command.formula, trouble: {state: 'quarantined', error}}}
        : undefined,
  },
  'drop-formula': {about: ({name}) => name, lasts: 'ends'},
  'put-module': {
    about: ({module}) => `module ${module.name}`,
    lasts: 'stands',
    after: ({module}) => Object.values(module.sources),
    quarantined: (command, culprit, error) =>
      command.module.hash === culprit.hash
        ? {...command, module: {...command.module, trouble: {state: 'quarantined', error}}}
        : undefined,
  },
  'drop-module': {about: ({name}) => `module ${name}`, lasts: 'ends'},
};

/** The rule of a command, its parts applied to it. */
export function commandRuleOf(command: Command): {
  about: string;
  stands: boolean;
  after: readonly string[];
  forgets: string | undefined;
  quarantined(culprit: Culprit, error: RowError): Command | undefined;
} {
  // Each rule takes its own command: the table's type says so, and a lookup by name cannot.
  const rule = commandRules[command.command] as CommandRule<Command>;
  return {
    about: rule.about(command),
    stands: rule.lasts === 'stands',
    after: rule.after?.(command) ?? [],
    forgets: rule.forgets?.(command),
    quarantined: (culprit, error) => rule.quarantined?.(command, culprit, error),
  };
}
