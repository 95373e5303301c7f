// One open session: an engine process, and beside it a cluster, the demo's or a live one, or a recording.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Session} from '@krtscope/shared/session.ts';
import type {Engine} from '../engine/link/link.ts';
import type {OpenSession} from '../engine/link/session.ts';
import type {DynamicClient} from '../kube/client.ts';
import {connect} from '../kube/connect.ts';
import {Informers} from '../kube/informers.ts';
import type {Kubeconfig} from '../kube/kubeconfig.ts';
import {type Connection, ConnectionState} from './connection.ts';
import {SessionFormulas} from './formulas/formulas.ts';
import {fileRows, liveRows} from './formulas/rows.ts';
import {Freshness} from './freshness.ts';
import {feed, shipped} from './sources.ts';
import {type Documents, declareScope} from './types/declarations.ts';
import {clusterDocuments, dumpedDocuments} from './types/documents.ts';

export interface SessionOptions {
  name: string;
  version: string;
  engine: Engine;
  redacted: boolean;
  limits: Session['limits'];
  cluster: Session['cluster'];
}

export interface ClusterOptions {
  config: Kubeconfig;
  context: string;
  namespaces: string[];
  redact: (<T>(object: T, kind?: string) => T) | undefined;
}

/** A recording's session: an engine that was given its past and never hears anything new. */
export class RecordedSession implements OpenSession {
  readonly name: string;
  readonly link: Engine;
  readonly formulas: SessionFormulas;
  protected readonly options: SessionOptions;
  readonly #listeners = new Set<() => void>();
  readonly #ends = new Set<() => void>();
  readonly #started = Date.now();

  constructor(options: SessionOptions) {
    this.name = options.name;
    this.link = options.engine;
    const {kind} = options.cluster;
    this.formulas = new SessionFormulas(kind === 'recording' ? fileRows(this.link) : liveRows(this.link));
    this.options = options;
    this.link.onState(() => this.changed());
  }

  describe(): Session {
    const {name, version, redacted, limits, cluster, engine} = this.options;
    return {
      name,
      id: engine.recording,
      cluster,
      version,
      readOnly: true,
      redacted,
      limits,
      kept: engine.kept,
      namespaces: this.namespaces(),
      engine: engine.state,
      connection: this.connection(),
    };
  }

  onChange(f: () => void): () => void {
    this.#listeners.add(f);
    return () => this.#listeners.delete(f);
  }

  onEnd(f: () => void): () => void {
    this.#ends.add(f);
    return () => this.#ends.delete(f);
  }

  async ready(): Promise<{ready: boolean; reasons: string[]}> {
    const {state} = this.link;
    return state === 'ready'
      ? {ready: true, reasons: []}
      : {ready: false, reasons: [`the engine process is ${state}`]};
  }

  retry(): void {}

  record(): Promise<Uint8Array> {
    const {context, server, version} = this.options.cluster;
    return this.link.export({name: this.name, context, server, version});
  }

  types(collections: readonly string[]): Promise<string> {
    return declareScope(this.link, this.documents(), collections);
  }

  async stop(): Promise<void> {
    this.#listeners.clear();
    for (const end of [...this.#ends]) end();
    await Promise.all([this.link.stop(), this.formulas.stop()]);
  }

  protected changed(): void {
    for (const listener of this.#listeners) listener();
  }

  protected connection(): Connection {
    return {state: 'offline', since: this.#started};
  }

  protected documents(): Documents {
    return dumpedDocuments;
  }

  protected namespaces(): string[] {
    return [];
  }
}

/** A cluster's session: informers feed its engine until it is stopped. */
export class ClusterSession extends RecordedSession {
  readonly #source: ClusterOptions;
  readonly #connection: ConnectionState;
  readonly #documents = clusterDocuments(() => this.#client?.transport, Date.now);
  readonly #freshness: Freshness;
  #informers: Informers | undefined;
  #client: DynamicClient | undefined;

  constructor(options: SessionOptions, source: ClusterOptions) {
    super(options);
    this.#freshness = new Freshness(this.link, () => this.changed());
    this.#source = source;
    this.#connection = new ConnectionState(source.context, Date.now);
  }

  /** Begins to list and watch; a cluster that cannot be reached is a state, never an exception. */
  start(): void {
    const {config, context, namespaces, redact} = this.#source;
    try {
      const client = connect({config, context});
      const informers = new Informers({
        client,
        namespaces,
        transform: redact && ((object, {kind}) => redact(object, kind)),
        onProblem: problem => process.stderr.write(`krtscope: ${context}: ${problem}\n`),
      });
      this.#informers = informers;
      this.#client = client;
      for (const [collection, resource] of Object.entries(shipped)) {
        const informer = informers.get(resource);
        this.#freshness.add(collection, informer);
        feed({
          collection,
          informer,
          engine: this.link,
          context,
          now: Date.now,
          onState: (name, state) => {
            if (!this.#connection.note(name, state)) return;
            // It was away: it may not have said its version yet, and may come back with another one.
            if (this.#connection.current.state === 'connected') void this.#learnVersion(client);
            this.changed();
          },
        });
      }
    } catch (error) {
      this.#connection.fail((error as Error).message);
      this.changed();
    }
  }

  // Who is asked only for its name is not waited for: a server that refuses /version still lists.
  async #learnVersion(client: DynamicClient): Promise<void> {
    try {
      const {body} = await client.transport.request<{gitVersion?: string}>({path: '/version'});
      this.options.cluster = {...this.options.cluster, version: body.gitVersion ?? ''};
      this.changed();
    } catch {
      // The informers say what is wrong, in better words.
    }
  }

  override retry(): void {
    if (this.#informers === undefined) this.start();
    for (const informer of this.#informers?.all() ?? []) informer.wake();
  }

  override async ready(): Promise<{ready: boolean; reasons: string[]}> {
    const engine = await super.ready();
    if (!engine.ready) return engine;
    const {state, reason} = this.#connection.current;
    if (state !== 'connected')
      return {ready: false, reasons: [`the cluster is ${state}${reason ? `: ${reason}` : ''}`]};
    try {
      const graph = (await within(SILENT_MS, this.link.ask({ask: 'graph'}))) as Graph;
      const reasons = unsettled(graph);
      return {ready: reasons.length === 0, reasons};
    } catch (error) {
      return {ready: false, reasons: [(error as Error).message]};
    }
  }

  override describe(): Session {
    return {...super.describe(), ...this.#freshness.worst};
  }

  override async stop(): Promise<void> {
    this.#freshness.stop();
    await Promise.all([this.#informers?.stop(), super.stop()]);
    await this.#client?.transport.close();
  }

  protected override connection(): Connection {
    return this.#connection.current;
  }

  protected override namespaces(): string[] {
    return this.#source.namespaces;
  }

  protected override documents(): Documents {
    return this.#documents;
  }
}

/** An engine process that is silent for this long is not ready, whatever keeps it. */
const SILENT_MS = 1000;

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the engine process has said nothing for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}

/** Collections that may still settle: not synced, and not held back by a kind that is denied for good. */
export function unsettled(graph: Graph): string[] {
  const byName = new Map(graph.collections.map(collection => [collection.name, collection]));
  const excused = (name: string, seen: Set<string>): boolean => {
    const collection = byName.get(name);
    if (collection === undefined || seen.has(name)) return false;
    if (collection.synced || collection.state === 'forbidden' || collection.state === 'not installed')
      return collection.current !== false;
    seen.add(name);
    return collection.waitingFor !== undefined && excused(collection.waitingFor, seen);
  };
  return graph.collections
    .filter(({name}) => !excused(name, new Set()))
    .map(({name, state, waitingFor, reason, current, asOf = 0, behind}) => {
      if (current === false) {
        const since = `as of ${new Date(asOf).toISOString()}`;
        if (behind !== undefined && behind !== name) return `${name} is ${since}: ${behind} is not current`;
        return `${name} is ${since}, and has not been heard since${reason ? ` (${state}: ${reason})` : ''}`;
      }
      if (waitingFor !== undefined) return `${name} waits for ${waitingFor}`;
      return `${name} is ${state ?? 'not synced'}${reason ? `: ${reason}` : ''}`;
    });
}
