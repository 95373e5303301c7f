// The formula functions of a session for http/. session/formulas implements them.
import type {
  FormulaChange,
  FormulaRequest,
  ModuleState,
  Preview,
  PreviewRequest,
  SavedFormula,
} from '@krtscope/shared/formulas.ts';

/** Every method rejects with EngineFailure; `bad-formula` names the places. */
export interface FormulaApi {
  /** Tries code on the session's data without keeping anything. A draft that waits is dropped when the signal aborts. */
  preview(request: PreviewRequest, signal?: AbortSignal): Promise<Preview>;
  /** The saved formulas by name. In a recording, those that made it, or those of a moment. */
  list(at?: number): Promise<SavedFormula[]>;
  /** The graph modules of the folder. In a recording or at a moment, those that ran, with their texts. */
  modules(at?: number): Promise<ModuleState[]>;
  get(name: string): Promise<SavedFormula>;
  create(request: FormulaRequest): Promise<SavedFormula>;
  change(name: string, change: FormulaChange): Promise<SavedFormula>;
  remove(name: string): Promise<void>;
}

export type {FormulaChange, FormulaRequest, SavedFormula};
