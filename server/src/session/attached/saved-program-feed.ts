// Reports saved documents and logs of a program, once. The documents are moments of one timeline.
import type {ProgramWork} from '@krtscope/shared/programs/work.ts';
import type {AttachedState, SessionAnswer} from '@krtscope/shared/session.ts';
import type {SavedProgram} from '../../attach/files/saved-programs.ts';
import {hideSecrets} from '../../attach/hide-secrets.ts';
import {type KrtzDocument, KrtzReader} from '../../attach/krtz-document.ts';
import {LogFollower} from '../../attach/log/log-follower.ts';
import type {LogReceiver, LogSource} from '../../attach/log/log-source.ts';
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import type {SessionConnection} from '../connection-state.ts';
import {unreadyReasons} from '../readiness.ts';
import type {SessionFeed} from '../session-feed.ts';
import {dumpedDocuments} from '../types/openapi-documents.ts';
import type {AttachedFeedOptions} from './attached-feed.ts';
import {FindingRows} from './finding-rows.ts';
import {IntervalReporter} from './interval-reporter.ts';
import {workFactsOf} from './work-facts.ts';

export class SavedProgramFeed implements SessionFeed {
  readonly cluster: SessionAnswer['cluster'];
  readonly connection: SessionConnection = {state: 'offline', since: Date.now()};
  readonly namespaces = [];
  readonly documents = dumpedDocuments;
  readonly #program: SavedProgram;
  readonly #log: LogFollower | undefined;
  readonly #parsed: KrtzDocument[] = [];
  #reporter: IntervalReporter | undefined;

  /** Throws an error that says which file is not a document. */
  constructor(program: SavedProgram, redact: AttachedFeedOptions['redact']) {
    this.#program = program;
    const source = program.documents.map(({name}) => name).join(', ');
    this.cluster = {kind: 'attached', context: program.name, server: source, version: ''};
    if (program.logs.length > 0)
      this.#log = new LogFollower(new SavedLog(program), {
        fetchCount: (...input) => this.#reporter?.fetchCount(...input),
      });
    const reader = new KrtzReader();
    for (const {name, text} of program.documents) {
      try {
        const document = reader.read(text);
        if (redact !== undefined)
          for (const item of document.items) item[2] = hideSecrets(item[2], item[0], redact);
        this.#parsed.push(document);
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`);
      }
    }
  }

  get attached(): AttachedState {
    const {time} = this.#program.documents.at(-1) ?? {};
    return {
      document: {
        state: 'offline',
        source: this.cluster.server,
        since: this.connection.since,
        ...(time === undefined ? {} : {asOf: time}),
      },
      log: this.#log?.state ?? {state: 'off', lines: 0, runs: 0, unread: 0, level: 'unknown'},
    };
  }

  get work(): ProgramWork | undefined {
    return this.#reporter?.work;
  }

  start(engine: EngineHandle): void {
    const reporter = new IntervalReporter(engine, this.#log);
    this.#reporter = reporter;
    for (const [at, document] of this.#parsed.entries()) {
      reporter.takeDocument(document, Date.now());
      // The lines tell what happened between the first document and the last one.
      if (at === this.#parsed.length - 1) this.#log?.start(() => {});
      reporter.settleNow();
    }
    const {work} = reporter;
    new FindingRows(engine, this.cluster.context).reportWork(workFactsOf(work, work.documents.notSynced));
  }

  notReadyReasons(engine: EngineHandle, brief: boolean): Promise<string[]> {
    return unreadyReasons(engine, brief);
  }

  retry(): void {}

  async stop(): Promise<void> {
    await this.#log?.stop();
  }
}

/** All lines at once. */
class SavedLog implements LogSource {
  readonly text: string;
  readonly #logs: SavedProgram['logs'];

  constructor({logs}: SavedProgram) {
    this.text = logs.map(({name}) => name).join(', ');
    this.#logs = logs;
  }

  start(receiver: LogReceiver): void {
    for (const {bytes} of this.#logs) {
      receiver.data(bytes);
      receiver.restart();
    }
  }

  async stop(): Promise<void> {}
}
