// The messages between main and a lab process: rows of the collections that drafts name, drafts to try, and word of
// what is under way, so that main knows whom to blame for silence.
import type {FormulaCheck, FormulaKind, PreviewRow, Shadow} from '@krtscope/shared/formulas.ts';

/** What main compiled; formula/compile makes it and nobody in between looks into it. */
export type CompiledCode = object;

export interface LabDraft {
  name: string;
  kind: FormulaKind;
  compiled: CompiledCode;
  input?: string;
  keys?: string[];
  /** Rows in the answer at most; only so many are tried, unless `all` are to be. */
  limit?: number;
  all?: boolean;
  shadow?: string;
}

/** A new revision of a graph module, before it goes live. */
export interface ModuleDraft {
  name: string;
  compiled: CompiledCode;
  /** By what the module calls them, the collections of its sources. */
  sources: Record<string, string>;
  /** The collections whose rows the lab has as they are now. */
  brought: readonly string[];
}

/** How it went. With `needs` it has not run yet: the collections, or the resource, that have to be there first. */
export interface LabModuleResult {
  needs?: {collections: string[]; resource?: string};
  /** It cannot be built. */
  error?: string;
  reads: string[];
}

export type ToLab =
  /** `rows` is JSON of `[key, value][]`. `reset`: what was held of it before is forgotten. */
  | {type: 'rows'; collection: string; reset: boolean; rows: string; gone: string[]; synced: boolean}
  | {type: 'drop'; collection: string}
  | {type: 'try'; id: number; draft: LabDraft}
  | {type: 'try-module'; id: number; module: ModuleDraft};

/** What a draft gave; errors still have the columns of the compiled text. */
export interface LabDraftResult {
  rows: PreviewRow[];
  total: number;
  tried: number;
  failed: number;
  checks: FormulaCheck[];
  shadow?: Shadow;
}

export type FromLab =
  | {type: 'ready'}
  /** Before the run of an input, or of a slice that begins with it. */
  | {type: 'running'; id: number; input: string; more: number}
  /** JSON of Tried, or of TriedModule. */
  | {type: 'tried'; id: number; answer: string}
  | {type: 'failed'; id: number; message: string};
