// The debug document that istiod serves at /debug/krtz, for our own collections: same fields, Go's capitals.
// One value that cannot be written never spoils the rest.

import {Core} from '../graph/core.ts';
import {Derived} from '../kinds/derived.ts';
import {GroupView} from '../kinds/group-by.ts';
import {JoinView} from '../kinds/join.ts';
import {MapView} from '../kinds/map.ts';
import {NestedJoinView} from '../kinds/nested-join.ts';
import {StaticSingletonCore} from '../kinds/singleton.ts';
import {type StatusRow, StatusRows} from '../kinds/status.ts';
import type {IndexRow} from '../query/indexes.ts';
import {keysOf} from '../run/entry.ts';
import {errorText} from './error-text.ts';

export interface DumpInput {
  outputs?: string[];
  dependencies?: string[];
}

export interface DumpState {
  outputs?: Record<string, unknown>;
  inputCollection?: string;
  inputs?: Record<string, DumpInput>;
  synced: boolean;
}

export interface DumpEntry {
  uid: number;
  name: string;
  state: DumpState;
}

export function dumpOf(cores: Iterable<Core>): DumpEntry[] {
  const entries: DumpEntry[] = [];
  for (const core of cores) {
    // Upstream does not register plain joins either: they show only as names.
    if (core.hidden || core instanceof JoinView) continue;
    entries.push({uid: core.uid, name: core.name, state: stateOf(core)});
  }
  return entries;
}

function stateOf(core: Core): DumpState {
  const state: Partial<DumpState> = {};
  const outputs = outputsOf(core);
  if (Object.keys(outputs).length > 0) state.outputs = outputs;
  const input = inputCollectionOf(core);
  if (input !== '') state.inputCollection = input;
  const inputs = inputsOf(core);
  if (Object.keys(inputs).length > 0) state.inputs = inputs;
  return {...state, synced: core.synced};
}

/** Without a prototype: a row may be named `__proto__`. */
function record<T>(): Record<string, T> {
  return Object.create(null);
}

function outputsOf(core: Core): Record<string, unknown> {
  if (core instanceof StaticSingletonCore) return {static: writable(core.items()[0]) ?? null};
  const outputs = record<unknown>();
  for (const row of core.rows.values()) {
    const item = core.shown(row);
    if (item !== undefined) outputs[row.key] = writable(inGo(core, item));
  }
  return outputs;
}

function inGo(core: Core, item: unknown): unknown {
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

function writable(item: unknown): unknown {
  if (item === undefined) return undefined;
  if (item instanceof Core) return {};
  try {
    const text = JSON.stringify(item, redactSecrets);
    return text === undefined ? {error: `a ${typeof item} cannot be written as JSON`} : JSON.parse(text);
  } catch (error) {
    return {
      error: `this object cannot be written as JSON: ${errorText(error)}`,
    };
  }
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

function inputCollectionOf(core: Core): string {
  if (core instanceof Derived) return core.parent.name;
  if (core instanceof MapView || core instanceof GroupView) {
    for (const upstream of core.upstreams()) return upstream.name;
  }
  return '';
}

function inputsOf(core: Core): Record<string, DumpInput> {
  const inputs = record<DumpInput>();
  if (core instanceof Derived) {
    for (const entry of core.entries()) {
      const dependencies = entry.nodes.map(node => node.core.name);
      inputs[entry.row.key] = dumpInput(keysOf(entry).sort(), dependencies.sort());
    }
  } else if (core instanceof NestedJoinView) {
    for (const member of core.members) {
      const outputs = [...member.rows.values()].filter(row => row.value !== undefined).map(row => row.key);
      inputs[String(member.uid)] = dumpInput(outputs.sort(), [
        ...inputNamesOf(member),
        inputCollectionOf(member),
      ]);
    }
  }
  return inputs;
}

// Only their names: members may be nested joins themselves, as deep as one likes.
function inputNamesOf(core: Core): string[] {
  if (core instanceof Derived) return [...core.entries()].map(entry => entry.row.key);
  return core instanceof NestedJoinView ? core.members.map(member => String(member.uid)) : [];
}

function dumpInput(outputs: string[], dependencies: string[]): DumpInput {
  const input: DumpInput = {};
  if (outputs.length > 0) input.outputs = outputs;
  if (dependencies.length > 0) input.dependencies = dependencies;
  return input;
}
