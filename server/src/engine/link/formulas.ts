// What http/ may ask of a session's formulas. session/formulas implements it.
import type {
  Formula,
  FormulaChange,
  FormulaRequest,
  Preview,
  PreviewRequest,
} from '@krtscope/shared/formulas.ts';

/** Every method rejects with EngineFailure, `bad-formula` with its places among them. */
export interface Formulas {
  /** Tries code on the session's data. Keeps nothing, and nothing else notices. */
  preview(request: PreviewRequest): Promise<Preview>;
}

export type {Formula, FormulaChange, FormulaRequest};
