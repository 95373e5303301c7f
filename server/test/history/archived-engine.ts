// An engine process with its history on disk, as a session has it, fed with numbered writes. It keeps what every moment
// must show.
import type {Question} from '@krtscope/shared/questions.ts';
import {type QuestionInput, questionSchema} from '@krtscope/shared/questions.ts';
import type {SessionRetention} from '@krtscope/shared/retention/disk-history.ts';
import {shippedSources} from '@krtscope/shared/sources.ts';
import {HistoryArchive} from '../../src/archive/history-archive.ts';
import type {EngineHandle, SourceChange} from '../../src/engine/link/engine-link.ts';
import {startEngine} from '../../src/engine/supervisor/start-engine.ts';
import {SessionHistory} from '../../src/session/session-history.ts';

export interface ArchivedEngineOptions {
  folder: string;
  historyRuns?: number;
  identity?: string;
  days?: number;
  bytes?: number;
  log?(line: string): void;
}

export interface ServiceWrite {
  key: string;
  /** Undefined deletes it. */
  step: string | undefined;
}

export class ArchivedEngine {
  readonly engine: EngineHandle;
  readonly archive: HistoryArchive;
  readonly history: SessionHistory;

  private constructor({
    folder,
    historyRuns = 50_000,
    days = 7,
    bytes = 2 ** 30,
    log = () => {},
  }: ArchivedEngineOptions) {
    this.archive = new HistoryArchive({
      folder,
      limits: {days, bytes},
      memoryMb: 512,
      ringRuns: historyRuns,
      log,
    });
    this.engine = startEngine({
      name: 'test',
      memoryMb: 512,
      historyRuns,
      historyMb: 64,
      redacted: true,
      awaitsArchive: true,
      spareMs: 2 ** 31 - 1,
      sources: Object.entries(shippedSources).map(([collection, resource]) => ({collection, resource})),
    });
    this.history = new SessionHistory(this.engine, {
      archive: this.archive,
      kind: 'live',
      redacted: true,
      log,
    });
  }

  /** Resolves when the engine process takes questions. */
  static async start(options: ArchivedEngineOptions): Promise<ArchivedEngine> {
    const started = new ArchivedEngine(options);
    await started.history.identified(options.identity ?? 'cluster-1', {name: 'test'});
    await started.until(() => started.engine.state === 'ready');
    return started;
  }

  get kept(): SessionRetention {
    return this.history.kept();
  }

  /** Reports the lists of all sources as complete. */
  sync(): void {
    for (const name of Object.keys(shippedSources))
      this.engine.sourceState(name, {state: 'synced', synced: true});
  }

  write(...writes: ServiceWrite[]): void {
    this.engine.apply(writes.map(changeOf));
  }

  /** The sequence after all writes so far. */
  async settled(): Promise<number> {
    await this.until(() => this.engine.unsettled === 0);
    return this.engine.sequence;
  }

  ask<T>(question: QuestionInput): Promise<T> {
    return this.engine.ask(questionSchema.parse(question) as Question) as Promise<T>;
  }

  /** The label `step` of every Service at a moment. */
  async steps(at?: number): Promise<Record<string, string>> {
    const {items} = await this.ask<{items: {key: string; value: LabelledService}[]}>({
      ask: 'items',
      collection: 'Services',
      limit: 1000,
      at,
    });
    return Object.fromEntries(items.map(({key, value}) => [key, value.metadata.labels.step]));
  }

  async until(isDone: () => boolean): Promise<void> {
    const end = Date.now() + 180_000;
    while (!isDone()) {
      if (Date.now() > end) throw new Error(`waited too long: ${isDone}`);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }

  async stop(): Promise<void> {
    await this.engine.stop();
    await this.archive.stop();
  }
}

interface LabelledService {
  metadata: {labels: {step: string}};
}

export function changeOf({key, step}: ServiceWrite): SourceChange {
  const [namespace, name] = key.split('/');
  const received = Date.now();
  if (step === undefined) return {collection: 'Services', key, event: 'delete', received};
  const metadata = {namespace, name, labels: {step}, resourceVersion: step};
  return {
    collection: 'Services',
    key,
    event: 'update',
    new: {metadata, spec: {selector: {app: name}}},
    received,
  };
}
