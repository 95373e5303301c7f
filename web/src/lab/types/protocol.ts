// What the page and the worker that knows TypeScript say to each other. Positions are offsets in the formula's own text.

/** How the code is read: what it is given, and what it may give back. */
export interface Shape {
  kind: 'one' | 'many' | 'singleton';
  /** The input collection's name; a singleton has none. */
  input?: string;
}

export interface Slip {
  from: number;
  to: number;
  message: string;
  severity: 'error' | 'warning';
}

export interface Offer {
  label: string;
  kind: string;
  /** The type in a few words; only what the list can show at once. */
  detail?: string;
  insert?: string;
  rank: string;
}

export interface Offers {
  from: number;
  to: number;
  offers: Offer[];
}

export interface Told {
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

export interface Reading {
  slips: Slip[];
  fetches: FetchSite[];
  /** Paths of the input that the text names: `metadata.labels`, `spec.containers[].image`. */
  reads: string[];
}

export type Ask =
  | {ask: 'scope'; text: string}
  | {ask: 'read'; code: string; shape: Shape}
  | {ask: 'complete'; code: string; shape: Shape; at: number}
  | {ask: 'describe'; code: string; shape: Shape; at: number; label: string}
  | {ask: 'hover'; code: string; shape: Shape; at: number}
  | {ask: 'signature'; code: string; shape: Shape; at: number};

export interface Answers {
  scope: null;
  read: Reading;
  complete: Offers | null;
  describe: {code: string; words: string} | null;
  hover: Told | null;
  signature: Told | null;
}

export type Asked = Ask & {id: number};
export type Reply = {id: number; answer: unknown} | {id: number; error: string};
