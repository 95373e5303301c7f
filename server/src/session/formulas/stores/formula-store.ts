// Where formulas are stored: in files or in the cluster. A store only reads, writes and reports changes.
import type {FormulaKind, FormulaTest, ParamValues} from '@krtscope/shared/formulas.ts';
import type {EngineFailure} from '../../../engine/link/engine-link.ts';
import type {CodeProblem} from '../../../formula/compile/code-problem.ts';

/** A formula as its author wrote it. */
export interface FormulaText {
  name: string;
  code: string;
  kind?: FormulaKind;
  input?: string;
  sources?: string[];
  /** Parameters whose values differ from the defaults in the code. */
  params?: ParamValues;
  tests?: FormulaTest[];
}

export interface StoredFormula extends FormulaText {
  /** Hash of the stored text. */
  revision: string;
  /** Why it cannot be read. `code` is the whole text then. */
  problems?: readonly CodeProblem[];
}

/** The stored text is not the one that the writer has seen. */
export class StoreChanged extends Error {
  override readonly name = 'StoreChanged';
}

export interface FormulaStore {
  /** Why the API cannot change formulas here; absent if it can. */
  refusal?(name: string): EngineFailure;
  /** The path of a formula, for people. */
  place(name: string): string;
  /** Lists all formulas. Then calls `changed` for each new, changed or removed one. */
  open(changed: (name: string, stored: StoredFormula | undefined) => void): Promise<StoredFormula[]>;
  /** `expected` is the replaced revision, or undefined for a new formula. Rejects with StoreChanged on a mismatch. `from` is the old name of a renamed formula. */
  write(formula: FormulaText, expected: string | undefined, from?: string): Promise<StoredFormula>;
  remove(name: string, expected: string): Promise<void>;
  close(): void;
}
