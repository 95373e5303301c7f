// For tests: recorded cases of a real istiod (shared/istio/krtlog), and what they demand of an answer.
import {existsSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import {gunzipSync} from 'node:zlib';
import type {WrittenCollection} from './testing-documents.ts';

export interface RecordedCase {
  case: number;
  what: string;
  before: WrittenCollection[] | {error: string};
  after: WrittenCollection[] | {error: string};
  changed: {uid: number; collection: string; key: string; event: 'add' | 'update' | 'delete'}[];
  log: string;
  expected: {kind: string; key: string}[];
}

const shared = fileURLToPath(new URL('../../../../shared/istio/krtlog/cases.jsonl.gz', import.meta.url));
/** KRTSCOPE_CASES names a file of other cases, as server/test/istiod/record-cases.ts writes it. */
const file = process.env.KRTSCOPE_CASES ?? shared;

/** Empty where the shared folder is not present. */
export const recordedCases: RecordedCase[] = existsSync(file)
  ? gunzipSync(readFileSync(file))
      .toString()
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as RecordedCase)
  : [];

/** The rows whose origin is asked: added or updated ones with an input collection, or those of `handled` lines. */
export function rowsToExplain({
  before,
  after,
  changed,
  log,
}: RecordedCase): {collection: string; key: string}[] {
  if (!Array.isArray(before) || !Array.isArray(after))
    return [...log.matchAll(/\thandled\towner=(\S+) res=(\S+) type=(?:add|update)/g)].map(line => ({
      collection: line[1] as string,
      key: line[2] as string,
    }));
  const computed = new Set(
    after.flatMap(({uid, state}) => (state.inputCollection === undefined ? [] : [uid])),
  );
  return changed.filter(({uid, event}) => event !== 'delete' && computed.has(uid));
}

export interface MergedCase extends Omit<RecordedCase, 'changed' | 'expected'> {
  /** Each row with what the last of the cases that changed it goes back to. */
  rows: {collection: string; key: string; expected: RecordedCase['expected']}[];
}

/** Consecutive cases as one: a program that is slow to answer shows the changes of all of them in one document. */
export function mergeCases(cases: readonly RecordedCase[], by: number): MergedCase[] {
  return cases.flatMap((first, at) => {
    const group = cases.slice(at, at + by);
    const {before} = first;
    const {after} = group.at(-1) as RecordedCase;
    if (group.length < by || !Array.isArray(before) || !Array.isArray(after)) return [];
    const rowOf = (document: WrittenCollection[], name: string, key: string) => {
      const namesakes = document.filter(one => one.name === name);
      return namesakes.length === 1 ? namesakes[0]?.state.outputs?.[key] : undefined;
    };
    const rows = new Map<string, MergedCase['rows'][number]>();
    for (const one of group)
      for (const {collection, key} of rowsToExplain(one))
        rows.set(`${collection}\n${key}`, {collection, key, expected: one.expected});
    return {
      case: first.case,
      what: group.map(({what}) => what).join(', '),
      before,
      after,
      log: group.map(({log}) => log).join(''),
      // A row that was removed again, or that is as before, has no cause to ask for.
      rows: [...rows.values()].filter(({collection, key}) => {
        const now = rowOf(after, collection, key);
        return now !== undefined && !isDeepStrictEqual(rowOf(before, collection, key), now);
      }),
    };
  });
}

/** `informer/Services` and `crdclient/informer/VirtualService` by the kind of their objects. */
export function kindOfInformer(collection: string): string {
  const plural = collection.slice(collection.lastIndexOf('/') + 1).replace(/#\d+$/, '');
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(ss|x|sh|ch)es$/.test(plural)) return plural.slice(0, -2);
  // `crdclient/informer/Ingress` is singular.
  return plural.endsWith('ss') ? plural : plural.replace(/s$/, '');
}

/**
 * Whether the document leads from the row to this collection. Joins and indexes that the document leaves out stand for
 * all collections of their family.
 */
export function isUpstreamInDocument(
  {before, after}: Pick<RecordedCase, 'before' | 'after'>,
  row: string,
  upstream: string,
): boolean {
  const document = [after, before].find(one => Array.isArray(one));
  if (document === undefined) return true;
  const seen = new Set<string>([row]);
  const queue = [row];
  const add = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    queue.push(name);
  };
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const reader = name;
    for (const {name: own, state} of document) {
      if (own !== reader) continue;
      const fetched = Object.values(state.inputs ?? {}).flatMap(({dependencies}) => dependencies ?? []);
      for (const read of [
        ...fetched,
        ...(state.inputCollection === undefined ? [] : [state.inputCollection]),
      ])
        for (const one of membersOf(document, read, reader)) add(one);
    }
    const computed = reader.replace(/\/status$/, '');
    if (computed !== reader) add(computed);
  }
  return seen.has(upstream);
}

function membersOf(document: readonly WrittenCollection[], name: string, reader: string): string[] {
  if (document.some(one => one.name === name)) return [name];
  const family = (name === 'index/' ? reader : name).replace(/^index\//, '').split('/')[0];
  // `aggregate/VirtualService` joins rows of every family with those of `crdclient/collection/VirtualService`.
  return document.flatMap(one =>
    family === 'aggregate' || one.name.split('/')[0] === family ? [one.name] : [],
  );
}
