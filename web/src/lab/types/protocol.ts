// What the page and the worker that knows TypeScript say to each other. Positions are offsets in the formula's own text.

/** How the code is read: what it is given, and what it may give back. */
export interface FormulaShape {
  kind: 'one' | 'many' | 'singleton';
  /** The input collection's name; a singleton has none. */
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
  /** The type in a few words; only what the list can show at once. */
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
  /** The declaration, as TypeScript says it. */
  code: string;
  words: string;
}

/** One `ctx.fetch` in the text, in the order in which it stands there. */
export interface FetchSite {
  from: number;
  to: number;
  line: number;
  collection: string;
}

export interface FormulaAnalysis {
  slips: TypeDiagnostic[];
  fetches: FetchSite[];
  /** Paths of the input that the text names: `metadata.labels`, `spec.containers[].image`. */
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
