// The commands from main to the engine process: their types here, their handlers in host/commands.ts. The supervisor
// remembers standing commands and repeats them to a new process before it replays the objects.
import type {FormulaKind, ModuleFile, ParamValues, RowError} from '@krtscope/shared/formulas.ts';
import {parseGroupName} from '@krtscope/shared/groups/group-name.ts';
import type {FormulaTrouble} from '@krtscope/shared/vocabulary.ts';
import type {SourceSpec} from './engine-link.ts';
import type {CompiledCode} from './lab-messages.ts';

/** A formula to install: main's compiled code and the text it came from. */
export interface InstallableFormula {
  name: string;
  kind: FormulaKind;
  input?: string;
  /** The typed text. Recordings carry it. */
  code: string;
  /** Parameters whose values differ from the defaults in the code. */
  params?: ParamValues;
  /** The used part of the folder's helpers. */
  helpers?: string;
  /** A hash of all these. A quarantine names it. */
  hash: string;
  /** All collections that the code names, including the input. */
  reads: string[];
  /** Undefined if there is no code to run. */
  compiled?: CompiledCode;
  /** It runs in a process of its own, because its runs are slow. */
  lane?: 'slow';
  /** The quarantine of `compiled`, or the error of a newer text that could not replace it. */
  trouble?: {state: FormulaTrouble; error: RowError};
}

/** A graph module: its compiled files and the collections of its sources. */
export interface InstallableModule {
  /** Its file name in the folder. */
  name: string;
  hash: string;
  compiled?: CompiledCode;
  /** The typed texts. Recordings carry them. */
  files: ModuleFile[];
  /** The collections of its sources, by the module's names for them. */
  sources: Record<string, string>;
  /** The collections of its last build, as the engine process named them. A quarantine shows its reason on each. */
  collections?: string[];
  trouble?: {state: FormulaTrouble; error: RowError};
}

/** The arguments and the answer of each command, as plain JSON. */
export interface Commands {
  /** Adds a source. Refused (`taken`) if a collection has its name. */
  'add-source': {takes: {source: SourceSpec}; gives: {name: string}};
  /** Deletes the source's rows in one batch, then the source. Refused (`in-use`) while others read it. */
  'drop-source': {takes: {name: string}; gives: {name: string}};
  /**
   * Replaces a formula of the same name and runs its readers again. Refused (`taken`) if the name is not a formula's.
   */
  'put-formula': {takes: {formula: InstallableFormula}; gives: {name: string}};
  /**
   * Like drop-source. A text that only names the formula counts as a reader. With `force` the readers wait for it
   * instead.
   */
  'drop-formula': {takes: {name: string; force?: boolean}; gives: {name: string}};
  /**
   * Builds and replaces the module, or keeps the old one with `trouble`. `needs` is a resource that must be a source
   * first.
   */
  'put-module': {
    takes: {module: InstallableModule};
    gives: {
      name: string;
      collections: string[];
      trouble?: InstallableModule['trouble'];
      needs?: string;
      /** The hash of the build that runs, if one does. With trouble it is an earlier one. */
      runs?: string;
    };
  };
  'drop-module': {takes: {name: string}; gives: {name: string}};
  /** Makes a group collection, `Pods by spec.nodeName`. It waits for the collection that it groups. */
  'put-group': {takes: {name: string}; gives: {name: string}};
  'drop-group': {takes: {name: string}; gives: {name: string}};
}

export type CommandName = keyof Commands;
export type Command = {[N in CommandName]: {command: N} & Commands[N]['takes']}[CommandName];
export type CommandAnswer<N extends CommandName> = Commands[N]['gives'];

interface CommandRule<C> {
  /** The subject: a later standing command replaces an earlier one about the same subject. */
  about(command: C): string;
  /** `stands`: a new process gets it again. `ends`: it removes the standing command about the same subject. */
  lasts: 'stands' | 'ends';
  /** The subjects of commands that must come first. Unknown ones do not matter. */
  after?(command: C): readonly string[];
  /** A collection whose objects main can forget as soon as this command is sent. */
  forgets?(command: C): string;
  /** The command to send after its formula has ended a process; undefined if the formula is not part of it. */
  quarantined?(command: C, culprit: Culprit, error: RowError): C | undefined;
}

/** The formula that ran when the engine process hung or died. */
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
  'put-group': {
    about: ({name}) => name,
    lasts: 'stands',
    after: ({name}) => [parseGroupName(name)?.collection ?? ''],
  },
  'drop-group': {about: ({name}) => name, lasts: 'ends'},
};

/** The rule of a command, applied to it. */
export function commandRuleOf(command: Command): {
  about: string;
  stands: boolean;
  after: readonly string[];
  forgets: string | undefined;
  quarantined(culprit: Culprit, error: RowError): Command | undefined;
} {
  // Each rule takes its own command. The table's type ensures it, but a lookup by name cannot.
  const rule = commandRules[command.command] as CommandRule<Command>;
  return {
    about: rule.about(command),
    stands: rule.lasts === 'stands',
    after: rule.after?.(command) ?? [],
    forgets: rule.forgets?.(command),
    quarantined: (culprit, error) => rule.quarantined?.(command, culprit, error),
  };
}
