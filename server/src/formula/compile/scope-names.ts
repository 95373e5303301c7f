// The names with a meaning in a formula: the scope's own words, and the safe and pure names of JavaScript.
// Names that people try and that are refused come with advice.

/** These win over a collection of the same name, which `collection('…')` still reaches. */
export const scopeWords = [
  'key',
  'keys',
  'name',
  'namespace',
  'label',
  'selects',
  'selectsNonEmpty',
  'generic',
  'index',
  'collection',
  'keyOf',
  'nameOf',
  'namespaceOf',
  'labelsOf',
  'ownerOf',
  'isReady',
  'matches',
  'quantity',
  'time',
  'groupBy',
  'countBy',
  'sum',
  'unique',
  'decodeBase64',
  'encodeBase64',
  'certificates',
  'rootOwner',
  'param',
] as const;

/** Collections that a word of the scope reads by itself. */
export const impliedCollections: Readonly<Record<string, string>> = {rootOwner: 'ReplicaSets'};

/** The source with the current minute, which `ctx.minute()` reads. */
export const CLOCK = 'Clock';

/** The one import of a graph module besides the files of its folder. */
export const KRT_MODULE = 'krtscope/krt';

export const languageNames: ReadonlySet<string> = new Set([
  ...[
    'Array',
    'BigInt',
    'Boolean',
    'Date',
    'Error',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'RegExp',
    'Set',
  ],
  ...['String', 'Symbol', 'WeakMap', 'WeakSet', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError'],
  ...['TypeError', 'URIError', 'Infinity', 'NaN', 'undefined', 'isFinite', 'isNaN', 'parseFloat', 'parseInt'],
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'Reflect'],
]);

const noBuffers = 'is not available: a formula has no raw memory; use arrays and strings';
const noTimers =
  'is not available: a formula is synchronous; it runs again when the data that it fetched changes';
const noOutsideAccess = 'is not available: a formula sees only its item and the data that it fetches';

/** Names that exist elsewhere and never in formulas. */
export const refusedNames: ReadonlyMap<string, string> = new Map([
  ['fetch', 'is not available; read a collection with ctx.fetch(Collection, …filters)'],
  ['console', 'is not available; return the value that you want to see'],
  ['globalThis', 'is not available: a formula has no state between runs'],
  ['Proxy', 'is not available: results are plain JSON'],
  ['Promise', 'is not available: a formula is synchronous'],
  ['eval', 'is not available: code cannot create code'],
  ['Function', 'is not available: code cannot create code'],
  ['Compartment', 'is not available: code cannot create code'],
  ['WebAssembly', 'is not available: code cannot create code'],
  ['arguments', 'is not available; name the parameters'],
  ...[
    'ArrayBuffer SharedArrayBuffer DataView Atomics Buffer Int8Array Uint8Array Uint8ClampedArray Int16Array',
    'Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array',
  ]
    .join(' ')
    .split(' ')
    .map(word => [word, noBuffers] as const),
  ...'setTimeout setInterval setImmediate clearTimeout queueMicrotask'
    .split(' ')
    .map(w => [w, noTimers] as const),
  ...[
    'process require module exports global window self document navigator performance crypto XMLHttpRequest',
    'WebSocket Worker structuredClone localStorage FinalizationRegistry WeakRef Intl Temporal lockdown harden',
    'TextEncoder TextDecoder AggregateError escape unescape',
  ]
    .join(' ')
    .split(' ')
    .map(word => [word, noOutsideAccess] as const),
]);

const reservedNames = new Set(
  [
    'await break case catch class const continue debugger default delete do else enum export extends false finally',
    'for function if implements import in instanceof interface let new null package private protected public return',
    'static super switch this throw true try typeof var void while with yield async of get set ctx formula helpers',
  ]
    .join(' ')
    .split(' '),
);

const namePattern = /^[A-Za-z_$][A-Za-z0-9_$]{0,62}$/;

/** Why a formula cannot have this name; undefined if it can. */
export function formulaNameProblem(name: string): string | undefined {
  if (!namePattern.test(name))
    return `"${name}" is not a valid name: it must be a letter, _ or $, then at most 62 letters, digits, _ or $`;
  const taken =
    reservedNames.has(name) ||
    languageNames.has(name) ||
    refusedNames.has(name) ||
    name.startsWith('$krt') ||
    (scopeWords as readonly string[]).includes(name);
  return taken ? `"${name}" has another meaning in a formula; choose another name` : undefined;
}
