// The names that mean something in a formula: the scope's own words, what JavaScript has that is safe and pure, and
// what people try that is not there, each with what to do instead.

/** Win over a collection of the same name, which `collection('…')` still reaches. */
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
] as const;

/** What a graph module may import beside its neighbours: the running engine's own names. */
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

const noBuffers = 'is not there: a formula has no raw memory; use lists and texts';
const noTimers = 'is not there: a formula answers at once; it runs again when what it fetched changes';
const noOutsideAccess = 'is not there: a formula sees its item and what it fetches, nothing else';

/** Names that exist elsewhere and never here. */
export const refusedNames: ReadonlyMap<string, string> = new Map([
  ['fetch', 'is not there; read a collection with ctx.fetch(Collection, …filters)'],
  ['console', 'is not there; return what you want to see, the result shows it'],
  ['globalThis', 'is not there: a formula keeps no state between runs'],
  ['Proxy', 'is not there: results are plain JSON'],
  ['Promise', 'is not there: a formula answers at once'],
  ['eval', 'is not there: code cannot make code'],
  ['Function', 'is not there: code cannot make code'],
  ['Compartment', 'is not there: code cannot make code'],
  ['WebAssembly', 'is not there: code cannot make code'],
  ['arguments', 'is not there; name the parameters'],
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
    'static super switch this throw true try typeof var void while with yield async of get set',
  ]
    .join(' ')
    .split(' '),
);

const namePattern = /^[A-Za-z_$][A-Za-z0-9_$]{0,62}$/;

/** Why a formula cannot have this name; undefined if it can. */
export function formulaNameProblem(name: string): string | undefined {
  if (!namePattern.test(name))
    return `a formula's name is a letter, _ or $ and at most 62 letters, digits, _ or $; "${name}" is not`;
  const taken =
    reservedNames.has(name) ||
    languageNames.has(name) ||
    refusedNames.has(name) ||
    name.startsWith('$krt') ||
    (scopeWords as readonly string[]).includes(name);
  return taken ? `"${name}" means something else in a formula; take another name` : undefined;
}
