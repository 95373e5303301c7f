// Compares What if with what the graph shows in the batch that carries the same edit.

import type {Checks} from '@krtscope/shared/checks.ts';
import type {Diff, ItemDetail, Items} from '@krtscope/shared/items.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {pathDifferences} from '@krtscope/shared/what-if/path-differences.ts';
import {type Impact, type WhatIf, whatIfRequestSchema} from '@krtscope/shared/what-if/what-if.ts';
import type {OpenSession} from '../../src/engine/link/session.ts';
import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import type {Chance, ObjectsOf, RandomEdit} from './random-edit.ts';
import {randomEdit} from './random-edit.ts';

/** Findings that look at the state alone and do not wait for controllers. */
const STATE_CODES = new Set(['crash-loop', 'selects-nothing', 'unselected-pod', 'failed']);
/** Only the server can choose these. */
const SERVER_FIELDS = new Set([
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'clusterIP',
  'clusterIPs',
  'managedFields',
]);
/** A real server marks a running Pod as deleted in a write of its own, just before it is gone. */
const MARK_OF_DELETION = new Set(['deletionTimestamp', 'deletionGracePeriodSeconds', 'generation']);

export interface EditTrialResult {
  readonly kind: string;
  /** Why What if was wrong; undefined if it was right. */
  readonly miss?: string;
  /** Rows that changed and that impact did not name. */
  readonly unnamed: readonly string[];
}

export class EditTrials {
  readonly #session: OpenSession;
  readonly #client: DynamicClient;
  readonly #chance: Chance;
  #number = 0;

  constructor(session: OpenSession, client: DynamicClient, chance: Chance) {
    this.#session = session;
    this.#client = client;
    this.#chance = chance;
  }

  async next(): Promise<EditTrialResult> {
    this.#number += 1;
    const one = await randomEdit(this.#chance, this.#objects, this.#number);
    const impact = one.path === undefined ? undefined : await this.#impact(one, one.path);
    const answer = await this.#whatIf(one);
    const from = await this.#sequence();
    if (typeof answer === 'string')
      return {kind: one.kind, unnamed: [], ...(await this.#refusalMiss(one, answer))};
    const before = await this.#valueOf(one);
    const written = await one.commit(this.#client);
    const sequence = await this.#sequenceOf(one, written, before, from);
    const unnamed = impact === undefined ? [] : unnamedRows(answer, impact, one.collection);
    if (sequence === undefined) {
      // An edit that changes nothing makes no batch.
      const isNothing = Object.keys(answer.collections).length === 0;
      return {
        kind: one.kind,
        unnamed,
        ...(isNothing ? {} : {miss: `${one.key}: no batch, but ${summary(answer)}`}),
      };
    }
    const miss = (await this.#rowMiss(answer, sequence)) ?? (await this.#findingMiss(answer, sequence));
    return {
      kind: one.kind,
      unnamed,
      ...(miss === undefined ? {} : {miss: `${one.kind} ${one.key}: ${miss}`}),
    };
  }

  /** The answer, or the text of the refusal. */
  async #whatIf({edit}: RandomEdit): Promise<WhatIf | string> {
    try {
      return await this.#session.whatIf(whatIfRequestSchema.parse({edits: [edit]}));
    } catch (error) {
      const {code, message} = error as {code?: string; message: string};
      if (code !== 'invalid-edit') throw error;
      return message;
    }
  }

  /** The API server must refuse what What if refuses. */
  async #refusalMiss(one: RandomEdit, refusal: string): Promise<{miss?: string}> {
    try {
      await one.commit(this.#client);
      return {miss: `${one.kind} ${one.key}: refused (${refusal}), but the server took it`};
    } catch {
      return {};
    }
  }

  readonly #objects: ObjectsOf = async collection => {
    const {items} = (await this.#session.link.ask({ask: 'items', collection, limit: 1000})) as Items;
    return items.map(({value}) => value as KubeObject);
  };

  async #impact({collection, key}: RandomEdit, path: string): Promise<Impact> {
    return (await this.#session.link.ask({ask: 'impact', collection, key, path})) as Impact;
  }

  async #valueOf({collection, key}: RandomEdit): Promise<unknown> {
    const item = await this.#session.link.ask({ask: 'item', collection, key}).catch(() => undefined);
    return (item as ItemDetail | undefined)?.value;
  }

  async #sequence(): Promise<number> {
    return ((await this.#session.link.ask({ask: 'graph'})) as {sequence: number}).sequence;
  }

  /** The batch of the write; undefined if the write changed nothing. Controllers may write the object again at once. */
  async #sequenceOf(
    {collection, key}: RandomEdit,
    written: KubeObject | undefined,
    before: unknown,
    from: number,
  ): Promise<number | undefined> {
    const version = written?.metadata.resourceVersion;
    if (version !== undefined && version === versionOf(before)) return undefined;
    let next = from + 1;
    for (let n = 0; n < 1000; n++) {
      for (const to = await this.#sequence(); next <= to; next++) {
        const row = (await this.#diff(next)).collections[collection]?.find(one => one.key === key);
        if (row !== undefined && versionOf(row.new) === version) return next;
      }
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    throw new Error(`${collection} ${key} did not get the write in time`);
  }

  async #diff(sequence: number): Promise<Diff> {
    return (await this.#session.link.ask({ask: 'diff', from: sequence - 1, to: sequence})) as Diff;
  }

  async #rowMiss(answer: WhatIf, sequence: number): Promise<string | undefined> {
    const {collections} = await this.#diff(sequence);
    const wanted = rowsOf(collections);
    const got = rowsOf(answer.collections);
    for (const [id, row] of wanted) {
      const mine = got.get(id);
      if (mine === undefined) return `${id} is missing`;
      if (!deepEqual(mine, row)) return `${id} differs: ${JSON.stringify(pathDifferences(mine, row))}`;
    }
    for (const id of got.keys()) if (!wanted.has(id)) return `${id} did not change`;
    return undefined;
  }

  async #findingMiss(answer: WhatIf, sequence: number): Promise<string | undefined> {
    const before = await this.#findings(sequence - 1);
    const begun = [...(await this.#findings(sequence))].filter(id => !before.has(id)).sort();
    const said = answer.incidents.begun
      .flatMap(({symptoms}) => symptoms)
      .flatMap(({code, collection, keys}) => keys.map(key => `${code} ${collection} ${key}`))
      .sort();
    return deepEqual(begun, said)
      ? undefined
      : `findings: said ${said.join(', ')}, begun ${begun.join(', ')}`;
  }

  async #findings(at: number): Promise<Set<string>> {
    const {checks} = (await this.#session.link.ask({ask: 'checks', at})) as Checks;
    return new Set(
      checks
        .filter(({code}) => STATE_CODES.has(code))
        .flatMap(({code, collection, keys}) => keys.map(key => `${code} ${collection} ${key}`)),
    );
  }
}

function versionOf(object: unknown): string | undefined {
  return (object as KubeObject | undefined)?.metadata.resourceVersion;
}

function rowsOf(
  collections: Readonly<Record<string, readonly {key: string; old?: unknown; new?: unknown}[]>>,
) {
  const rows = new Map<string, unknown>();
  for (const [name, list] of Object.entries(collections))
    for (const {key, old, new: now} of list) {
      const row = {old: comparable(now === undefined ? withoutMark(old) : old), new: comparable(now)};
      if (!deepEqual(row.old, row.new)) rows.set(`${name} ${key}`, row);
    }
  return rows;
}

function withoutMark(object: unknown): unknown {
  const {metadata} = (object ?? {}) as {metadata?: object};
  if (metadata === undefined) return object;
  const kept = Object.entries(metadata).filter(([name]) => !MARK_OF_DELETION.has(name));
  return {...(object as object), metadata: Object.fromEntries(kept)};
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !SERVER_FIELDS.has(name))
      .map(([name, child]) => [name, comparable(child)]),
  );
}

function unnamedRows(answer: WhatIf, impact: Impact, edited: string): string[] {
  const named = new Map<string, {keys: Set<string>; isWhole: boolean}>();
  for (const {readers} of impact.fields)
    for (const {collection, keys, count} of readers) {
      const own = named.get(collection) ?? {keys: new Set(), isWhole: false};
      for (const key of keys) own.keys.add(key);
      named.set(collection, {keys: own.keys, isWhole: own.isWhole || count > keys.length});
    }
  return Object.entries(answer.collections).flatMap(([name, rows]) =>
    name === edited
      ? []
      : rows
          // A row that does not exist yet cannot be named.
          .filter(
            ({key, old}) => old !== undefined && !named.get(name)?.isWhole && !named.get(name)?.keys.has(key),
          )
          .map(({key}) => `${name} ${key}`),
  );
}

function summary(answer: WhatIf): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(answer.collections).map(([name, rows]) => [name, rows.map(({key}) => key)]),
    ),
  );
}
