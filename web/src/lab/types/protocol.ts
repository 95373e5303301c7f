// Messages between the page and the TypeScript worker. Positions are offsets in the formula's text.

/** Decides the types of the parameters and of the result. */
export interface FormulaShape {
  kind: 'one' | 'many' | 'singleton';
  /** The name of the input collection. Undefined for a singleton. */
  input?: string;
}

export interface TypeDiagnostic {
  from: number;
  to: number;
  message: string;
  severity: 'error' | 'warning';
}

export interface CompletionOffer {
  label: string;
  kind: string;
  /** The type in a few words. */
  detail?: string;
  insert?: string;
  rank: string;
}

export interface CompletionOffers {
  from: number;
  to: number;
  offers: CompletionOffer[];
}

export interface TypeTooltip {
  from: number;
  to: number;
  /** The declaration in TypeScript. */
  code: string;
  words: string;
}

/** One `ctx.fetch` in the text. */
export interface FetchSite {
  from: number;
  to: number;
  line: number;
  collection: string;
}

export interface FormulaAnalysis {
  diagnostics: TypeDiagnostic[];
  fetches: FetchSite[];
  /** Paths of the input, such as `metadata.labels` or `spec.containers[].image`. */
  reads: string[];
}

export type TypeRequest =
  | {ask: 'scope'; text: string}
  | {ask: 'read'; code: string; shape: FormulaShape}
  | {ask: 'complete'; code: string; shape: FormulaShape; at: number}
  | {ask: 'describe'; code: string; shape: FormulaShape; at: number; label: string}
  | {ask: 'hover'; code: string; shape: FormulaShape; at: number}
  | {ask: 'signature'; code: string; shape: FormulaShape; at: number};

export interface TypeResponses {
  scope: null;
  read: FormulaAnalysis;
  complete: CompletionOffers | null;
  describe: {code: string; words: string} | null;
  hover: TypeTooltip | null;
  signature: TypeTooltip | null;
}

export type TypeRequestMessage = TypeRequest & {id: number};
export type TypeResponseMessage = {id: number; answer: unknown} | {id: number; error: string};
