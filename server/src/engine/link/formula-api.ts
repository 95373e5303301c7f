// What http/ may ask of a session's formulas. session/formulas implements it.
import type {
  FormulaChange,
  FormulaRequest,
  ModuleState,
  Preview,
  PreviewRequest,
  SavedFormula,
} from '@krtscope/shared/formulas.ts';

/** Every method rejects with EngineFailure, `bad-formula` with its places among them. */
export interface FormulaApi {
  /** Tries code on the session's data. Keeps nothing, and nothing else notices. */
  preview(request: PreviewRequest): Promise<Preview>;
  /** The kept ones, by name. In a recording: those that it was made with, or of a moment. */
  list(at?: number): Promise<SavedFormula[]>;
  /** The graph modules of its folder. In a recording, and of a moment: those that ran, with their texts. */
  modules(at?: number): Promise<ModuleState[]>;
  get(name: string): Promise<SavedFormula>;
  create(request: FormulaRequest): Promise<SavedFormula>;
  change(name: string, change: FormulaChange): Promise<SavedFormula>;
  remove(name: string): Promise<void>;
}

export type {FormulaChange, FormulaRequest, SavedFormula};
