// Where formulas are kept beyond the life of this program: files today, the cluster beside them. formula-installer.ts
// makes them collections; a store only reads, writes and notices.
import type {FormulaKind, FormulaTest} from '@krtscope/shared/formulas.ts';
import type {EngineFailure} from '../../../engine/link/engine-link.ts';
import type {CodeProblem} from '../../../formula/compile/code-problem.ts';

/** A formula as somebody wrote it down. */
export interface FormulaText {
  name: string;
  code: string;
  kind?: FormulaKind;
  input?: string;
  sources?: string[];
  tests?: FormulaTest[];
}

export interface StoredFormula extends FormulaText {
  /** The hash of what is stored. */
  revision: string;
  /** Why it cannot be read; `code` is the whole text then. */
  problems?: readonly CodeProblem[];
}

/** What is stored is not what the writer has seen. */
export class StoreChanged extends Error {
  override readonly name = 'StoreChanged';
}

export interface FormulaStore {
  /** Why nothing can be changed here through the API; absent where it can. */
  refusal?(name: string): EngineFailure;
  /** Where a formula is, for people: a path. */
  place(name: string): string;
  /** What there is; from then on `changed` is called with what comes and changes, and without it for what goes. */
  open(changed: (name: string, stored: StoredFormula | undefined) => void): Promise<StoredFormula[]>;
  /** `expected`: the revision that is replaced; undefined: there is none. Rejects with StoreChanged if that is not so. */
  write(formula: FormulaText, expected: string | undefined): Promise<StoredFormula>;
  remove(name: string, expected: string): Promise<void>;
  close(): void;
}
