// The messages between main and a lab process: rows of the collections that drafts name, drafts to try, and progress.
// Progress tells main which draft hangs.
import type {FormulaCheck, FormulaKind, PreviewRow, Shadow} from '@krtscope/shared/formulas.ts';

/** Compiled code. Only formula/ looks inside. */
export type CompiledCode = object;

export interface LabDraft {
  name: string;
  kind: FormulaKind;
  compiled: CompiledCode;
  input?: string;
  keys?: string[];
  /** The maximum number of rows in the answer. Only these are tried, unless `all` is set. */
  limit?: number;
  all?: boolean;
  shadow?: string;
}

/** A new revision of a graph module, before it goes live. */
export interface ModuleDraft {
  name: string;
  compiled: CompiledCode;
  /** The collections of its sources, by the module's names for them. */
  sources: Record<string, string>;
  /** The collections whose current rows the lab has. */
  brought: readonly string[];
}

/**
 * The result of a module trial. With `needs` it has not run yet: those collections, or that resource, must be there
 * first.
 */
export interface LabModuleResult {
  needs?: {collections: string[]; resource?: string};
  /** The build error. */
  error?: string;
  reads: string[];
}

export type ToLab =
  /** `rows` is JSON of `[key, value][]`. `reset` drops the earlier copy. */
  | {type: 'rows'; collection: string; reset: boolean; rows: string; gone: string[]; synced: boolean}
  | {type: 'drop'; collection: string}
  | {type: 'try'; id: number; draft: LabDraft}
  | {type: 'try-module'; id: number; module: ModuleDraft};

/** The result of a draft. Errors still have the columns of the compiled text. */
export interface LabDraftResult {
  rows: PreviewRow[];
  total: number;
  tried: number;
  failed: number;
  checks: FormulaCheck[];
  shadow?: Shadow;
  /** Its runs take so long that it needs a process of its own. */
  isSlow: boolean;
}

export type FromLab =
  | {type: 'ready'}
  /** Sent before the run of an input, or before a slice of runs that begins with it. */
  | {type: 'running'; id: number; input: string; more: number}
  /** JSON of LabDraftResult or LabModuleResult. */
  | {type: 'tried'; id: number; answer: string}
  | {type: 'failed'; id: number; message: string};
