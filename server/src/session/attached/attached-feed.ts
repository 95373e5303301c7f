// Polls the krtz document of another program, follows its log, and reports both. Rows stay as they are while the
// document is missing.
import type {LagAnswer} from '@krtscope/shared/programs/lag.ts';
import type {ProgramWork} from '@krtscope/shared/programs/work.ts';
import type {AttachedState, SessionAnswer} from '@krtscope/shared/session.ts';
import type {AttachTarget} from '../../attach/attach-target.ts';
import {hideSecrets} from '../../attach/hide-secrets.ts';
import {type KrtzDocument, KrtzReader} from '../../attach/krtz-document.ts';
import {KRTZ_ADDRESS_HINT, type KrtzAnswer, type KrtzProblem} from '../../attach/krtz-request.ts';
import type {ClusterObjects} from '../../attach/lag/cluster-objects.ts';
import {InformerLag} from '../../attach/lag/informer-lag.ts';
import {levelCommands} from '../../attach/log/level-commands.ts';
import {LogFollower} from '../../attach/log/log-follower.ts';
import type {LogSource} from '../../attach/log/log-source.ts';
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import type {SessionConnection} from '../connection-state.ts';
import {unreadyReasons} from '../readiness.ts';
import type {SessionFeed} from '../session-feed.ts';
import {dumpedDocuments} from '../types/openapi-documents.ts';
import {FindingRows} from './finding-rows.ts';
import {IntervalReporter} from './interval-reporter.ts';
import {workFactsOf} from './work-facts.ts';

/** Milliseconds between two documents. A slow document is requested less often, because it blocks its program. */
const POLL_MS = 1000;
const POLL_COST_FACTOR = 20;
const COUNTED_ANSWERS = 5;
/** The longest pause after a failure, and after the first answer. */
const RETRY_MS = 3000;
/** Unsettled batches of the engine process from which the next document is skipped. */
const MAX_UNSETTLED = 50;
/** Smallest step of time that is reported. */
const STEP_MS = 5000;
/** How long lines of the log are collected before they are looked at. */
const COLLECT_MS = 100;

/** A row that differs from the cluster for longer is a finding, and so is a collection that is not synced. */
const LASTING_MS = 10_000;
/** Findings about the program's work change at most this often. */
const WORK_MS = 2000;

/** Where documents come from: a URL, or a port of a Pod. */
export interface DocumentSource {
  /** The address, for people. */
  readonly text: string;
  request(ended: AbortSignal): Promise<KrtzAnswer>;
  stop?(): Promise<void>;
}

export interface AttachedFeedOptions {
  name: string;
  document: DocumentSource;
  log: LogSource | undefined;
  target: AttachTarget;
  /** Undefined if secrets are shown. */
  redact: (<T>(object: T, kind?: string) => T) | undefined;
  /** The clusters of open sessions. One of them may be the program's own. */
  clusters: () => readonly ClusterObjects[];
}

export class AttachedFeed implements SessionFeed {
  readonly cluster: SessionAnswer['cluster'];
  readonly namespaces = [];
  readonly documents = dumpedDocuments;
  readonly #options: AttachedFeedOptions;
  readonly #reader = new KrtzReader();
  readonly #log: LogFollower | undefined;
  readonly #lag: InformerLag;
  readonly #ended = new AbortController();
  #reporter: IntervalReporter | undefined;
  #findings: FindingRows | undefined;
  #connection: SessionConnection = {state: 'connecting', since: Date.now()};
  #asOf: number | undefined;
  #document: KrtzDocument | undefined;
  #reportedAsOf = 0;
  #engine: EngineHandle | undefined;
  #changed: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #settleTimer: NodeJS.Timeout | undefined;
  #settleAt = 0;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #reportedLines: number | undefined;
  #answerTimes: number[] = [];
  /** Since when collections have been unsynced, by name. */
  #unsynced = new Map<string, number>();
  #workReportedAt = 0;

  constructor(options: AttachedFeedOptions) {
    this.#options = options;
    this.cluster = {kind: 'attached', context: options.name, server: options.document.text, version: ''};
    this.#lag = new InformerLag(options.clusters);
    this.#log =
      options.log &&
      new LogFollower(options.log, {fetchCount: (...input) => this.#reporter?.fetchCount(...input)});
  }

  get connection(): SessionConnection {
    return this.#connection;
  }

  get freshness(): {asOf: number; current: boolean} | undefined {
    if (this.#asOf === undefined) return undefined;
    return {asOf: this.#asOf, current: this.#connection.state === 'connected'};
  }

  get attached(): AttachedState {
    const {state, reason, hint, since} = this.#connection;
    const document: AttachedState['document'] = {state, source: this.#options.document.text, since};
    if (this.#asOf !== undefined) document.asOf = this.#asOf;
    if (reason !== undefined) document.reason = reason;
    if (hint !== undefined) document.hint = hint;
    const log: AttachedState['log'] = this.#log?.state ?? {
      state: 'off',
      lines: 0,
      runs: 0,
      unread: 0,
      level: 'unknown',
    };
    const commands = levelCommands(this.#options.target, this.#document);
    return {document, log: commands === undefined ? log : {...log, commands}};
  }

  /** How far the program's informers are behind their cluster. */
  get lag(): LagAnswer {
    return this.#lag.answer;
  }

  /** What the program did in vain, and what stands out in its documents. */
  get work(): ProgramWork | undefined {
    return this.#reporter?.work;
  }

  start(engine: EngineHandle, changed: () => void): void {
    this.#engine = engine;
    this.#changed = changed;
    this.#reporter = new IntervalReporter(engine, this.#log, () => this.#ownCluster);
    this.#findings = new FindingRows(engine, this.#options.name);
    this.#log?.start(() => this.#settleAfter(COLLECT_MS));
    this.retry();
  }

  /** A Pod runs in the cluster that it was found in. Otherwise the rows of documents tell the cluster. */
  get #ownCluster(): ClusterObjects | undefined {
    const {target, clusters} = this.#options;
    return this.#lag.cluster ?? (target.kind === 'url' ? undefined : clusters()[0]);
  }

  async notReadyReasons(engine: EngineHandle, brief: boolean): Promise<string[]> {
    const {state, reason} = this.#connection;
    if (state !== 'connected') return [(brief ? undefined : reason) ?? 'no document has arrived yet'];
    return unreadyReasons(engine, brief);
  }

  retry(): void {
    // The running request may have started before the user fixed the problem.
    if (this.#polling !== undefined) this.#pollAgain = true;
    else void this.poll();
  }

  /** Polls now. Resolves when the result is reported. */
  poll(): Promise<void> {
    this.#polling ??= this.#pollOnce().finally(() => {
      this.#polling = undefined;
      if (this.#pollAgain) this.retry();
    });
    return this.#polling;
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#settleTimer);
    await Promise.all([this.#polling, this.#log?.stop()]);
    await this.#options.document.stop?.();
  }

  /** Reports what is complete, now and again when something has waited long enough. */
  #settle(): void {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = undefined;
    if (this.#ended.signal.aborted) return;
    const lines = this.#log?.state.lines;
    const wait = this.#reporter?.settle();
    if (wait !== undefined) this.#settleAfter(wait);
    this.#reportWork(Date.now());
    if (lines !== this.#reportedLines) {
      this.#reportedLines = lines;
      this.#changed();
    }
  }

  #settleAfter(milliseconds: number): void {
    const at = Date.now() + milliseconds;
    if (this.#settleTimer !== undefined && this.#settleAt <= at) return;
    clearTimeout(this.#settleTimer);
    this.#settleAt = at;
    this.#settleTimer = setTimeout(() => this.#settle(), milliseconds);
  }

  async #pollOnce(): Promise<void> {
    clearTimeout(this.#timer);
    this.#pollAgain = false;
    const engine = this.#engine;
    const {signal} = this.#ended;
    if (engine === undefined || signal.aborted) return;
    const began = Date.now();
    const startedAt = performance.now();
    const isBehind = engine.unsettled > MAX_UNSETTLED;
    const problem = isBehind ? undefined : await this.#fetchDocument(began);
    if (signal.aborted) return;
    const wait = this.#pauseAfter(performance.now() - startedAt, problem !== undefined);
    this.#timer = setTimeout(() => void this.poll(), wait);
    if (isBehind) return;
    if (problem !== undefined) this.#reporter?.markFailing(this.#asOf);
    else this.#reporter?.expectDocumentAt(Date.now() + wait + Math.min(...this.#answerTimes));
    this.#updateConnection(problem, engine, Date.now() + wait);
    this.#settle();
  }

  /** A busy machine delays single answers, so the fastest of the last ones counts. */
  #pauseAfter(milliseconds: number, hasFailed: boolean): number {
    this.#answerTimes = [...this.#answerTimes.slice(1 - COUNTED_ANSWERS), milliseconds];
    const costly = Math.min(...this.#answerTimes) * POLL_COST_FACTOR;
    const isKnown = this.#answerTimes.length > 1 && !hasFailed;
    return Math.max(POLL_MS, isKnown ? costly : Math.min(RETRY_MS, costly));
  }

  async #fetchDocument(began: number): Promise<KrtzProblem | undefined> {
    const answer = await this.#options.document.request(this.#ended.signal);
    if (this.#ended.signal.aborted) return undefined;
    if ('reason' in answer) return answer;
    try {
      const document = this.#reader.read(answer.text);
      this.#redact(document.items);
      this.#reporter?.takeDocument(document, began);
      this.#document = document;
      this.#compareInformers(document, began);
    } catch (error) {
      return {reason: (error as Error).message, hint: KRTZ_ADDRESS_HINT};
    }
    this.#asOf = began;
    return undefined;
  }

  #compareInformers({collections, items}: KrtzDocument, began: number): void {
    const informers = new Map<string, Map<string, unknown>>(
      collections.flatMap(({name, kind}) => (kind === 'source' ? [[name, new Map()] as const] : [])),
    );
    for (const [collection, key, value] of items) informers.get(collection)?.set(key, value);
    this.#lag.compare(informers, began);
    this.#findings?.reportLag(this.#lag.lastingLonger(LASTING_MS));
  }

  #reportWork(now: number): void {
    const {work} = this;
    if (work === undefined || now - this.#workReportedAt < WORK_MS) return;
    this.#workReportedAt = now;
    const {notSynced} = work.documents;
    this.#unsynced = new Map(notSynced.map(name => [name, this.#unsynced.get(name) ?? now]));
    const lasting = notSynced.filter(name => now - (this.#unsynced.get(name) ?? now) > LASTING_MS);
    this.#findings?.reportWork(workFactsOf(work, lasting));
  }

  #redact(items: [collection: string, key: string, value: unknown][]): void {
    const {redact} = this.#options;
    if (redact === undefined) return;
    for (const item of items) item[2] = hideSecrets(item[2], item[0], redact);
  }

  #updateConnection(problem: KrtzProblem | undefined, engine: EngineHandle, retryAt: number): void {
    const now = Date.now();
    const {state: previous, since, reason} = this.#connection;
    if (problem === undefined) {
      if (previous === 'lost') this.#markGap(engine, since, now, reason ?? '');
      if (previous !== 'connected') this.#connection = {state: 'connected', since: now};
    } else {
      const state = this.#asOf === undefined ? 'unreachable' : 'lost';
      this.#connection = {state, since: previous === state ? since : now, ...problem, retryAt};
    }
    this.#reportMissingDocument(problem);
    // Report each failure, because the page shows the seconds until the next try.
    const unchanged = problem === undefined && previous === 'connected';
    if (unchanged && (this.#asOf ?? 0) - this.#reportedAsOf < STEP_MS) return;
    this.#reportedAsOf = this.#asOf ?? 0;
    this.#changed();
  }

  #reportMissingDocument(problem: KrtzProblem | undefined): void {
    const hasLog = this.#log?.isTelling === true;
    const hasRows = this.#asOf !== undefined;
    const missing = problem && {...problem, since: this.#connection.since, hasLog, hasRows};
    // Without any rows the session has no data yet, which the page says.
    this.#findings?.reportMissingDocument(hasLog || hasRows ? missing : undefined);
  }

  #markGap(engine: EngineHandle, from: number, to: number, reason: string): void {
    const seconds = ((to - from) / 1000).toFixed(1);
    engine.gap({
      kind: 'program',
      from,
      to,
      sequence: engine.sequence,
      text: `The document of ${this.#options.name} was missing for ${seconds} s (${reason}). All changes in that time appear as one.`,
    });
  }
}
