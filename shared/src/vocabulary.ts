// The words of the contract: one list for the page, the API and the docs. Leaves all shapes to the other files.

/** The version of every message on the wire; docs/protocol.md keeps its history. */
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
  /** Of a program: it changed, and the program did not say by which run. */
  'observed',
] as const;
export type RunOutcome = (typeof outcomes)[number];

/** In the order in which they are tried. */
export const verdicts = [
  'gone',
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

/** What a source can say of itself beside being synced. */
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
] as const;
export type SourceState = (typeof sourceStates)[number];

/** What a formula's collection says when it is not simply live. */
export const formulaTroubles = ['failing', 'quarantined'] as const;
export type FormulaTrouble = (typeof formulaTroubles)[number];

export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export const errorCodes = {
  unauthorized: 401,
  'foreign-origin': 403,
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
  'bad-formula': 422,
  'rolled-off': 410,
  'too-large': 413,
  'too-many': 429,
  'read-only': 405,
  internal: 500,
  'cluster-unreachable': 502,
  'engine-restarting': 503,
} as const;
export type ErrorCode = keyof typeof errorCodes;

/** What the page says in the same shape where nobody answered, and of a draft that it stopped: on the wire there is none. */
export const pageCodes = ['no-answer', 'stopped'] as const;

/** The filter of a fetch of which a program's document says no more than the collection. */
export const UNKNOWN_FILTER_TEXT = 'a filter that the document does not tell';

/** The one source that is known by name everywhere: what belongs to a namespace is found by it. */
export const namespacesSource = 'Namespaces';
