// The debug document that istiod serves at /debug/krtz, with the same fields. An item that cannot be written
// does not break the rest.

import {CollectionCore} from '../graph/collection-core.ts';
import type {IndexRow} from '../kinds/group-by.ts';
import {GroupView} from '../kinds/group-by.ts';
import {JoinView} from '../kinds/join.ts';
import {MapView} from '../kinds/map.ts';
import {NestedJoinView} from '../kinds/nested-join.ts';
import {StaticSingletonCore} from '../kinds/singleton.ts';
import {type StatusRow, StatusRows} from '../kinds/status.ts';
import {DerivedCore} from '../run/derived-core.ts';
import {keysOf} from '../run/input-entry.ts';
import type {DumpEntry, DumpInput, DumpState} from '../values/dump-types.ts';
import {errorText} from '../values/error-text.ts';

export function dumpOf(cores: Iterable<CollectionCore>): DumpEntry[] {
  const entries: DumpEntry[] = [];
  for (const core of cores) {
    if (!isDumped(core)) continue;
    entries.push({uid: core.uid, name: core.name, state: stateOf(core)});
  }
  return entries;
}

/**
 * The same document as JSON text in pieces of at most one row, because the whole text may exceed the longest
 * string. Each piece shows the state at its time. `wanted` selects collections by name.
 */
export function* dumpText(
  cores: Iterable<CollectionCore>,
  indent: number,
  wanted: (name: string) => boolean,
): Generator<string> {
  const line = (depth: number) => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`);
  const colon = indent === 0 ? ':' : ': ';
  function* members<T>(
    name: string,
    rows: Iterable<[string, T]>,
    write: (value: T) => string,
  ): Generator<string> {
    let open = `${line(3)}${JSON.stringify(name)}${colon}{`;
    for (const [key, value] of rows) {
      yield `${open}${line(4)}${JSON.stringify(key)}${colon}${write(value).replaceAll('\n', line(4))}`;
      open = ',';
    }
    if (open === ',') yield `${line(3)}},`;
  }
  let open = '[';
  for (const core of cores) {
    if (!isDumped(core) || !wanted(core.name)) continue;
    const {uid, name, synced} = core;
    const head = `"uid"${colon}${uid},${line(2)}"name"${colon}${JSON.stringify(name)},`;
    yield `${open}${line(1)}{${line(2)}${head}${line(2)}"state"${colon}{`;
    yield* members('outputs', outputRows(core), item => textOf(item, indent));
    const input = inputCollectionOf(core);
    if (input !== '') yield `${line(3)}"inputCollection"${colon}${JSON.stringify(input)},`;
    yield* members('inputs', inputRows(core), row => JSON.stringify(row, null, indent));
    yield `${line(3)}"synced"${colon}${synced}${line(2)}}${line(1)}}`;
    open = ',';
  }
  yield open === '[' ? '[]' : `${line(0)}]`;
}

/** Like istiod, leaves plain joins out: they show only as names. */
function isDumped(core: CollectionCore): boolean {
  return !core.hidden && !(core instanceof JoinView);
}

function stateOf(core: CollectionCore): DumpState {
  const state: Partial<DumpState> = {};
  const outputs = createRecord<unknown>();
  for (const [key, item] of outputRows(core)) outputs[key] = JSON.parse(textOf(item, 0));
  if (Object.keys(outputs).length > 0) state.outputs = outputs;
  const input = inputCollectionOf(core);
  if (input !== '') state.inputCollection = input;
  const inputs = createRecord<DumpInput>();
  for (const [key, input] of inputRows(core)) inputs[key] = input;
  if (Object.keys(inputs).length > 0) state.inputs = inputs;
  return {...state, synced: core.synced};
}

/** Without a prototype, because a row may be named `__proto__`. */
function createRecord<T>(): Record<string, T> {
  return Object.create(null);
}

function* outputRows(core: CollectionCore): Generator<[string, unknown]> {
  if (core instanceof StaticSingletonCore) {
    yield ['static', core.items()[0] ?? null];
    return;
  }
  for (const row of core.rows.values()) {
    const item = core.visibleItem(row);
    if (item !== undefined) yield [row.key, withGoFieldNames(core, item)];
  }
}

function withGoFieldNames(core: CollectionCore, item: unknown): unknown {
  if (core instanceof GroupView) {
    const {key, objects} = item as IndexRow<unknown, unknown>;
    return {Key: key, Objects: objects};
  }
  if (core instanceof StatusRows) {
    const {obj, status} = item as StatusRow<unknown, unknown>;
    return {Obj: obj, Status: status};
  }
  return item;
}

/** An item as JSON, or an error object if it has none. */
function textOf(item: unknown, indent: number): string {
  let error: string;
  try {
    if (item instanceof CollectionCore) return '{}';
    const text = JSON.stringify(item, redactSecrets, indent);
    if (text !== undefined) return text;
    error = `what is of type ${typeof item} cannot be written as JSON`;
  } catch (thrown) {
    error = `this object cannot be written as JSON: ${errorText(thrown)}`;
  }
  return JSON.stringify({error}, null, indent);
}

function redactSecrets(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || (value as {kind?: unknown}).kind !== 'Secret')
    return value;
  const secret = {...(value as Record<string, unknown>)};
  for (const field of ['data', 'stringData']) {
    const values = secret[field];
    if (typeof values !== 'object' || values === null) continue;
    secret[field] = Object.fromEntries(Object.keys(values).map(key => [key, 'redacted']));
  }
  return secret;
}

function inputCollectionOf(core: CollectionCore): string {
  if (core instanceof DerivedCore) return core.parent.name;
  if (core instanceof MapView || core instanceof GroupView) {
    for (const upstream of core.upstreams()) return upstream.name;
  }
  return '';
}

function* inputRows(core: CollectionCore): Generator<[string, DumpInput]> {
  if (core instanceof DerivedCore) {
    for (const entry of core.entries()) {
      const dependencies = entry.nodes.map(node => node.core.name);
      yield [entry.row.key, dumpInput(keysOf(entry).sort(), dependencies.sort())];
    }
  } else if (core instanceof NestedJoinView) {
    for (const member of core.members) {
      const outputs = [...member.rows.values()].filter(row => row.value !== undefined).map(row => row.key);
      const dependencies = [...inputNamesOf(member), inputCollectionOf(member)];
      yield [String(member.uid), dumpInput(outputs.sort(), dependencies)];
    }
  }
}

// Only names, because members may be nested joins themselves.
function inputNamesOf(core: CollectionCore): string[] {
  if (core instanceof DerivedCore) return [...core.entries()].map(entry => entry.row.key);
  return core instanceof NestedJoinView ? core.members.map(member => String(member.uid)) : [];
}

function dumpInput(outputs: string[], dependencies: string[]): DumpInput {
  const input: DumpInput = {};
  if (outputs.length > 0) input.outputs = outputs;
  if (dependencies.length > 0) input.dependencies = dependencies;
  return input;
}
