// Compares the public answers about a random graph with the plain engine: state, reads and rows of each input, reruns,
// and the debug document.
import {
  type AskedFetch,
  type Collection,
  type CollectionInfo,
  collectionByName,
  collectionByUid,
  collectionsOf,
  type DumpEntry,
  dependenciesOf,
  dumpPieces,
  inputs,
  inputsOf,
  isCollection,
  KEYS_SHOWN,
  outline,
  outputsOf,
  primaryOf,
  probe,
  repeat,
} from '../index.ts';
import {text} from './model-script.ts';
import type {Session} from './model-session.ts';
import {hasFormula, type Item, type NodeSpec} from './model-spec.ts';
import type {PlainDerived, PlainFetch, PlainInput} from './plain-derived.ts';

const KINDS: Record<NodeSpec['kind'], string> = {
  source: 'static',
  static: 'static',
  one: 'derived',
  many: 'many',
  singleton: 'singleton',
  nothing: 'many',
  status: 'derived',
  statusMany: 'many',
  map: 'map',
  join: 'join',
  unchecked: 'join',
  merge: 'join',
  nested: 'join',
  group: 'derived',
};

/** Returns problems as sentences. */
export function questionProblems(session: Session): string[] {
  const {engine} = session.real;
  const infos = new Map(engine.collections().map(info => [info.uid, info]));
  const dump = new Map(engine.dump().map(entry => [entry.uid, entry]));
  const problems: string[] = [];
  const written = JSON.parse([...dumpPieces(engine, () => true)].join(''));
  if (text(written) !== text(JSON.parse(JSON.stringify(engine.dump()))))
    problems.push('the dump in pieces is another than the dump');
  const outlines = new Map(outline(engine).map(one => [one.uid, one]));
  const listed = [...outlines.keys()];
  if (
    text(listed.toSorted()) !==
    text(
      collectionsOf(engine)
        .map(({uid}) => uid)
        .toSorted(),
    )
  )
    problems.push('the outline has other collections than there are');
  session.real.nodes.forEach((node, i) => {
    if (i === session.stopped) return;
    const {items} = node;
    const info = infos.get(items.uid);
    const {waitingFor} = outlines.get(items.uid) ?? {};
    if (waitingFor !== info?.waitingFor)
      problems.push(`${items.name} waits for ${waitingFor} in the outline`);
    const told = new PublicAnswers(session, i, info, dump.get(items.uid));
    for (const problem of told.problems()) problems.push(`${items.name}: ${problem}`);
  });
  return problems;
}

class PublicAnswers {
  readonly #session: Session;
  readonly #node: number;
  readonly #spec: NodeSpec;
  readonly #items: Collection<unknown>;
  readonly #info: CollectionInfo | undefined;
  readonly #dump: DumpEntry | undefined;
  readonly #problems: string[] = [];

  constructor(session: Session, node: number, info: CollectionInfo | undefined, dump: DumpEntry | undefined) {
    this.#session = session;
    this.#node = node;
    this.#spec = session.script.spec.nodes[node]!;
    this.#items = session.real.nodes[node]!.items;
    this.#info = info;
    this.#dump = dump;
  }

  #same(what: string, actual: unknown, expected: unknown): void {
    const [is, must] = [text(actual), text(expected)];
    if (is !== must) this.#problems.push(`${what} is ${is}, must be ${must}`);
  }

  problems(): readonly string[] {
    const {engine} = this.#session.real;
    const {name, uid} = this.#items;
    this.#same('isCollection', isCollection(this.#items), true);
    this.#same('by uid', collectionByUid(engine, uid)?.name, name);
    this.#same('by name', collectionByName(engine, name)?.uid, uid);
    this.#standing();
    const derived = this.#session.derived(this.#node);
    if (derived !== undefined) this.#inputs(derived);
    else
      for (const {key} of this.#items.list() as Item[])
        this.#same('outputs', outputsOf(this.#items, key), [key]);
    return this.#problems;
  }

  #names(nodes: readonly number[]): string[] {
    return nodes.map(i => this.#session.real.nodes[i]!.items.name);
  }

  /** The names of its inputs. */
  #made(): string[] {
    const spec = this.#spec;
    const {name} = this.#items;
    if (spec.kind === 'unchecked') return spec.inputs.map((_, p) => `${name} prefix ${p}`);
    if (spec.kind === 'group') return [`index/group ${this.#node}`];
    if (spec.kind === 'nested')
      return [`${name} members`, ...this.#names([...this.#session.script.attached[this.#node]!])];
    if ('inputs' in spec) return this.#names(spec.inputs);
    return 'input' in spec ? this.#names([spec.input]) : [];
  }

  #standing(): void {
    const plain = this.#session.plainItems(this.#node);
    const info = this.#info;
    this.#same('size', info?.size, plain.rows.size);
    this.#same('kind', info?.kind, KINDS[this.#spec.kind]);
    this.#same('synced', info?.synced, plain.synced);
    if (['source', 'static', 'map', 'join', 'unchecked'].includes(this.#spec.kind))
      this.#same('runs', info?.runs, 0);
    this.#same('outputs of nobody', outputsOf(this.#items, 'nobody'), []);
    const made = this.#made().map(tame).sort();
    this.#same(
      'primary',
      primaryOf(this.#items)
        .map(({name}) => tame(name))
        .sort(),
      made,
    );
    const edges = (info?.inputs ?? []).filter(({kind}) => kind !== 'fetch');
    this.#same('edges', edges.map(({collection}) => tame(collection)).sort(), made);
    const kind = 'inputs' in this.#spec ? 'join' : 'input';
    this.#same(
      'kinds of edges',
      edges.map(edge => edge.kind),
      edges.map(() => kind),
    );
    if (info?.waitingFor !== undefined) {
      const awaited = collectionByName(this.#session.real.engine, info.waitingFor);
      this.#same('synced of what it waits for', awaited?.hasSynced() ?? false, false);
    } else if (!plain.synced && !('late' in this.#spec))
      this.#problems.push('is not synced, and waits for nothing');
    // Upstream's document leaves out plain joins.
    if (this.#spec.kind === 'join' || this.#spec.kind === 'unchecked')
      this.#same('dumped', this.#dump, undefined);
    else this.#same('synced in the dump', this.#dump?.state.synced, plain.synced);
    if (this.#dump === undefined || this.#spec.kind === 'static') return;
    this.#same('rows in the dump', this.#dump.state.outputs ?? {}, Object.fromEntries(plain.rows));
  }

  #inputs(derived: PlainDerived): void {
    const states = new Map(inputs(this.#items).map(state => [state.input, state]));
    this.#same('inputs', [...states.keys()].sort(), [...derived.inputs.keys()].sort());
    this.#same('failed', this.#info?.failed, count(derived, 'failed'));
    const awaited = [...derived.inputs.values()].flatMap(({waitingFor}) => waitingFor?.name ?? []);
    if (awaited.length > 0) this.#same('waits', awaited.includes(this.#info?.waitingFor ?? ''), true);
    const read = new Set<string>();
    for (const [input, known] of derived.inputs) {
      const state = states.get(input);
      const rows = [...known.rows.keys()].sort();
      // The plain engine runs more often, and then discards what it had accepted for the same reads.
      if (known.outcome === 'failed' || known.outcome === 'suspended')
        this.#same(`outcome of ${input}`, state?.outcome, known.outcome);
      this.#same(
        `stale of ${input}`,
        state?.stale,
        known.outcome === 'failed' || known.outcome === 'suspended',
      );
      this.#same(`outputs of ${input}`, state?.outputs.toSorted(), rows);
      this.#same(`outputsOf ${input}`, outputsOf(this.#items, input).sort(), rows);
      this.#same(`error of ${input}`, state?.error !== undefined, known.outcome === 'failed');
      this.#same(`awaited by ${input}`, state?.waitingFor, known.waitingFor?.name);
      this.#same(`outputs of ${input} in the dump`, this.#dump?.state.inputs?.[input]?.outputs ?? [], rows);
      for (const {target} of known.dependencies) read.add(target.name);
      if (known.waitingFor !== undefined) read.add(known.waitingFor.name);
      this.#dependencies(input, known);
      if (hasFormula(this.#spec) && known.outcome === 'ok') this.#repeated(input, known);
    }
    const edges = (this.#info?.inputs ?? []).filter(({kind}) => kind === 'fetch');
    this.#same('fetch edges', edges.map(({collection}) => collection).sort(), [...read].sort());
    for (const key of derived.rows.keys()) {
      const claimants = [...derived.inputs].filter(([, {rows}]) => rows.has(key)).map(([input]) => input);
      this.#same(`inputs of ${key}`, inputsOf(this.#items, key), claimants.sort());
    }
  }

  /** Each dependency must select the rows that the plain engine's reads select. */
  #dependencies(input: string, known: PlainInput): void {
    const actual = dependenciesOf(this.#items, input);
    const named = actual.map(({collection}) => collection);
    // After a discarded run, the reads of the last accepted run come last, once.
    if (known.outcome === 'discarded') return;
    this.#same(
      `reads of ${input}`,
      named,
      known.dependencies.map(({target}) => target.name),
    );
    this.#same(
      `reads of ${input} in the dump`,
      this.#dump?.state.inputs?.[input]?.dependencies ?? [],
      named.toSorted(),
    );
    if (this.#session.script.spec.faults.length > 0) return;
    known.dependencies.forEach((fetch, place) => {
      const dependency = actual[place];
      if (dependency === undefined) return;
      const found = selected(fetch);
      this.#same(`what ${dependency.filter} finds`, dependency.keys.toSorted(), found.slice(0, KEYS_SHOWN));
      this.#same(`how many ${dependency.filter} finds`, dependency.matched, found.length);
      for (const [key, item] of fetch.target.rows) {
        const parts = dependency.test(item, key);
        const matches = parts.every(part => part.matches);
        this.#same(`${dependency.filter} of ${key}`, matches, found.includes(key));
      }
    });
  }

  /** A rerun with the plain engine's answers must give the same rows. */
  #repeated(input: string, known: PlainInput): void {
    if (this.#session.script.spec.faults.length > 0) return;
    const {plain} = this.#session;
    const rows = (asked: AskedFetch): unknown[] => {
      const target = plain.nodes.findIndex(({items}) => items.name === asked.collection);
      if (target < 0) return [0];
      const held = this.#session.plainItems(target).rows;
      const found = [...held].filter(([key, item]) => asked.matches(key, item));
      for (const [key, item] of found)
        this.#same(
          `${asked.filter} of ${key}`,
          asked.test(item, key).every(part => part.matches),
          true,
        );
      return found.map(([, item]) => item);
    };
    const spec = this.#spec as {input?: number};
    const item = spec.input === undefined ? null : this.#session.plainItems(spec.input).rows.get(input);
    const again = repeat(this.#items, item, rows);
    const expected = Object.fromEntries(known.rows);
    this.#same(
      `${input} once more`,
      Object.fromEntries((again?.items ?? []).map(one => [one.key, one.item])),
      expected,
    );
    this.#same(
      `status of ${input} once more`,
      again?.status,
      (known.status as {status: unknown} | undefined)?.status,
    );
    const seen: string[] = [];
    const probed = probe(this.#items, input, (value, {collection, key, fetch}) => {
      seen.push(`${fetch} ${collection} ${key}`);
      return value;
    });
    this.#same(`error of a probe of ${input}`, probed.error, undefined);
    const reads = known.dependencies.flatMap((fetch, place) =>
      isTrigger(fetch) ? [] : selected(fetch).map(key => `${place} ${fetch.target.name} ${key}`),
    );
    const parent = primaryOf(this.#items)[0]?.name ?? this.#items.name;
    const own = seen.filter(line => !/trigger/.test(line)).sort();
    this.#same(`what a probe of ${input} is given`, own, [`-1 ${parent} ${input}`, ...reads].sort());
  }
}

function selected({target, matches}: PlainFetch): string[] {
  return [...target.rows]
    .filter(([key, item]) => matches(key, item))
    .map(([key]) => key)
    .sort();
}

function isTrigger({target}: PlainFetch): boolean {
  return target.name.startsWith('trigger');
}

function count({inputs: all}: PlainDerived, outcome: PlainInput['outcome']): number {
  return [...all.values()].filter(input => input.outcome === outcome).length;
}

/** An index that was refused was created again under another name. */
function tame(name: string): string {
  return name.replace('tame ', '');
}
