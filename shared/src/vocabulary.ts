// The words of the contract: one list for the page, the API and the docs.

/** The version of the messages on the wire. docs/protocol.md has its history. */
export const PROTOCOL = 1;

export const outcomes = [
  'added',
  'changed',
  'deleted',
  'equal',
  'empty',
  'discarded',
  'failed',
  'suspended',
  /** Of a program: the row changed, and the run is unknown. */
  'observed',
] as const;
export type RunOutcome = (typeof outcomes)[number];

/** In order of evaluation. */
export const verdicts = [
  'gone',
  /** The session cannot know: a program does not say it, and its log does not tell. */
  'unknown',
  'waiting',
  'failed',
  'discarded',
  'did-not-look',
  'looked-elsewhere',
  'equal',
  'reacted',
  'no-change',
] as const;
export type Verdict = (typeof verdicts)[number];

export const collectionKinds = [
  'source',
  'static',
  'trigger',
  'derived',
  'many',
  'singleton',
  'status',
  'map',
  'join',
  'index',
  'file',
] as const;
export type CollectionNodeKind = (typeof collectionKinds)[number];

export const edgeKinds = ['input', 'fetch', 'index', 'join'] as const;
export type EdgeKind = (typeof edgeKinds)[number];

export const changeEvents = ['add', 'update', 'delete'] as const;
export type ChangeEventType = (typeof changeEvents)[number];

/** The states of a source. */
export const sourceStates = [
  'waiting',
  'listing',
  'synced',
  'forbidden',
  'unauthorized',
  'not installed',
  'unreachable',
  'reconnecting',
  'stopped',
  /** By --without: it is not listed, and counts as synced and empty. */
  'left out',
] as const;
export type SourceState = (typeof sourceStates)[number];

/** The states of a formula that does not work. */
export const formulaTroubles = ['failing', 'quarantined'] as const;
export type FormulaTrouble = (typeof formulaTroubles)[number];

export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export const errorCodes = {
  unauthorized: 401,
  'foreign-origin': 403,
  forbidden: 403,
  'unknown-collection': 404,
  'unknown-key': 404,
  'unknown-session': 404,
  'not-found': 404,
  'bad-query': 400,
  taken: 409,
  'in-use': 409,
  'out-of-date': 409,
  'not-kept-here': 409,
  'kept-in-cluster': 409,
  'cannot-recompute': 409,
  'bad-formula': 422,
  'invalid-edit': 422,
  'rolled-off': 410,
  'too-large': 413,
  'too-many': 429,
  'read-only': 405,
  internal: 500,
  'cluster-unreachable': 502,
  'engine-restarting': 503,
} as const;
export type ErrorCode = keyof typeof errorCodes;

/** Codes that only the page uses: for a missing answer, and for a draft that it stopped. */
export const pageCodes = ['no-answer', 'stopped'] as const;

/** The filter text of fetches of which a krtz document names only the collection. */
export const UNKNOWN_FILTER_TEXT = 'a filter that the document does not tell';

/** The filter text of fetches whose filter the log of a program leaves out. */
export const HIDDEN_FILTER_TEXT = 'no filter that the log names';

/** The text in place of a row's value that only the log of a program names. */
export const UNSEEN_ROW_TEXT = 'the log names this row; no document has shown its value yet';

/** The one source with a fixed meaning: its keys are the namespaces. */
export const namespacesSource = 'Namespaces';
