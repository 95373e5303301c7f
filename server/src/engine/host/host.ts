// The engine process: takes main's messages, keeps graph, recording and answers together. main.ts starts it.
import type {Question} from '@krtscope/shared/questions.ts';
import type {Kept} from '@krtscope/shared/timeline.ts';
import {type CollectionFacts, Unanswerable} from '../../explain/records.ts';
import {Past} from '../../history/past.ts';
import {Recording} from '../../history/recording.ts';
import type {BatchTrace} from '../../krt/index.ts';
import type {Command} from '../link/commands.ts';
import type {RecordedSession} from '../link/link.ts';
import type {FromHost, StartOptions, ToHost} from '../link/messages.ts';
import {Announcer} from './announcer.ts';
import {obey} from './commands.ts';
import type {Desk} from './desk.ts';
import {Dirt} from './dirt.ts';
import {CommandRefused, failureOf} from './failures.ts';
import {FirstQuestions} from './first-questions.ts';
import {FirstRuns} from './first-runs.ts';
import {hashesOf} from './formulas.ts';
import {IncidentDesk} from './incident-desk.ts';
import {Inflow} from './inflow.ts';
import {Keeper} from './keeper.ts';
import {type GraphModule, LiveGraph, type Origin, shippedGraph, wallClock} from './live.ts';
import {Lives} from './lives.ts';
import {metricsOf, OutcomeCounts} from './metrics.ts';
import {FRAME, seldom} from './pace.ts';
import {Lessons} from './practice.ts';
import {Answers} from './query/answers.ts';
import {Readers} from './readers.ts';
import {type OpenedBooks, openBooks, writeBooks} from './recorded.ts';
import {HostRecords} from './records.ts';
import {RowFeeds} from './row-feed.ts';
import {Slices} from './slices.ts';
import {Subscriptions} from './subscriptions.ts';
import {ToldGraph} from './told.ts';
import type {Books} from './world.ts';

export class Host {
  readonly #send: (message: FromHost) => void;
  readonly #onFault: (error: unknown) => void;
  readonly #dirt = new Dirt();
  readonly #counts = new OutcomeCounts();
  readonly #announcer: Announcer;
  #desk: Desk | undefined;
  #flushing = false;
  readonly #slices = new Slices();
  readonly #readers = new Readers();
  readonly #firstRuns = new FirstRuns(() => this.#proceed());
  readonly #inflow = new Inflow({
    firstRuns: this.#firstRuns,
    slices: this.#slices,
    send: message => this.#send(message),
    guard: work => this.#guard(work),
    flushSoon: () => this.#flushSoon(),
  });
  readonly #firstQuestions = new FirstQuestions({
    slices: this.#slices,
    records: () => this.#desk?.records,
    answer: question => this.#desk?.answers.answer(question),
  });
  #feeds: RowFeeds | undefined;
  readonly #lessons = new Lessons();
  #waiting: ToHost[] | undefined;

  /** `onFault`: an error that no question and no formula explains. */
  constructor(send: (message: FromHost) => void, onFault: (error: unknown) => void) {
    this.#announcer = new Announcer(send);
    // Who has its answer may end this process at once, and the formula that gave it would be blamed for that.
    this.#send = message => {
      this.#announcer.rest();
      send(message);
    };
    this.#onFault = onFault;
  }

  take(message: ToHost): void {
    if (this.#waiting !== undefined) this.#waiting.push(message);
    else this.#guard(() => this.#handle(message));
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onFault(error);
    } finally {
      this.#announcer.rest();
    }
  }

  #handle(message: ToHost): void {
    switch (message.type) {
      case 'start':
        this.#start(message.options);
        return;
      case 'open':
        this.#open(message.bytes, message.unpackedMb);
        return;
      case 'practise':
        this.#lessons.take(message.objects, message.last);
        return;
      case 'ping':
        this.#send({type: 'pong', n: message.n, rss: process.memoryUsage.rss()});
        return;
      case 'ask':
        this.#inflow.catchUp();
        this.#ask(message.id, message.question);
        return;
      case 'command':
        this.#inflow.catchUp();
        this.#command(message.id, message.command);
        return;
      case 'export':
        this.#inflow.catchUp();
        this.#export(message.id, message.session);
        return;
      case 'read': {
        const {id, reader, pieces, indent} = message;
        this.#answer(id, desk => {
          const text = this.#readers.next(reader, pieces, () => desk.dump(indent));
          this.#send({type: 'piece', id, text});
        });
        return;
      }
      case 'read-end':
        this.#readers.end(message.reader);
        return;
      case 'fresh':
        this.#desk?.fed?.freshen(message.sources);
        this.#desk?.subscriptions.all();
        return;
      case 'aside':
        this.#desk?.live?.setAside(message.aside);
        this.#desk?.subscriptions.all();
        return;
      case 'subscribe':
        this.#refresh();
        this.#desk?.subscriptions.subscribe(message.id, message.question);
        return;
      case 'unsubscribe':
        this.#desk?.subscriptions.unsubscribe(message.id);
        return;
      default:
        if (this.#desk !== undefined) this.#inflow.take(this.#desk, message);
    }
  }

  #export(id: number, session: RecordedSession = {name: ''}): void {
    this.#answer(id, desk => {
      const formulas = desk.live === undefined ? desk.formulas : hashesOf(desk.live.engine);
      this.#slices.run(
        writeBooks({...desk, formulas}, session, desk.dump(0)),
        bytes => this.#send({type: 'exported', id, bytes}),
        error => this.#send({type: 'failed', id, failure: failureOf(error)}),
      );
    });
  }

  #proceed(): boolean {
    let more = false;
    this.#guard(() => {
      more = this.#desk?.live?.proceed() ?? false;
    });
    return more;
  }

  #start(options: StartOptions): void {
    if (options.graph === undefined) {
      this.#begin(options, shippedGraph);
      return;
    }
    // What comes meanwhile keeps its order.
    this.#waiting = [];
    import(options.graph).then(
      (module: GraphModule) => {
        this.#begin(options, module);
        const waiting = this.#waiting ?? [];
        this.#waiting = undefined;
        for (const message of waiting) this.take(message);
      },
      (error: Error) => this.#send({type: 'broken', message: error.message}),
    );
  }

  #begin(options: StartOptions, graph: GraphModule): void {
    const limits = {runs: options.historyRuns, megabytes: options.historyMb};
    const lives = new Lives();
    const recording = new Recording(
      {runs: limits.runs, bytes: limits.megabytes * 1024 * 1024},
      lives,
      options.firstSequence,
    );
    const books: Books = {recording, past: new Past(recording), gaps: [], lives, limits};
    let records: HostRecords | undefined;
    const kept = (): Kept => records?.kept() ?? {...recording.kept, oldest: 0, newest: 0, limits};
    const keeper = new Keeper(books, this.#send, kept);
    if (options.resumes) keeper.hold();
    const common = {
      firstSequence: options.firstSequence,
      onGraph: (facts: readonly CollectionFacts[]) => this.#regraph(books, facts),
      onTrace: (trace: BatchTrace, origin: Origin) => this.#settled(keeper, trace, origin),
      recorder: () => ({
        share: keeper.share,
        cost: keeper.cost,
        heap: process.memoryUsage().heapUsed,
        frame: this.#desk?.subscriptions.frame ?? FRAME,
      }),
    };
    const live = options.told
      ? undefined
      : new LiveGraph({
          ...common,
          sources: options.sources,
          graph,
          announcer: this.#announcer,
          revision: (name, at) => lives.revision(name, at),
          build: (module, at) => lives.build(module, at),
        });
    const fed = live ?? new ToldGraph({...common, books});
    records = new HostRecords(books, fed);
    const {recording: id, redacted} = options;
    this.#sit({
      id,
      redacted,
      books,
      world: fed,
      records,
      fed,
      ...(live === undefined ? {} : {live}),
      keeper,
      dump: indent => fed.dump(indent),
    });
    if (!options.resumes) this.#desk?.incidents?.open();
    this.#send({type: 'started'});
  }

  #open(bytes: Uint8Array, unpackedMb: number): void {
    const tell = seldom((share: number) => this.#send({type: 'opening', share}));
    this.#slices.run(
      openBooks(bytes, unpackedMb * 2 ** 20, tell),
      opened => this.#opened(opened),
      error => this.#send({type: 'refused', message: error instanceof Error ? error.message : String(error)}),
    );
  }

  #opened(opened: OpenedBooks): void {
    const {books, world, header, dump} = opened;
    const records = new HostRecords(books, world);
    this.#sit({
      id: header.recording,
      redacted: header.redacted,
      books,
      world,
      records,
      formulas: world.facts.formulas,
      dump,
    });
    this.#send({
      type: 'opened',
      recording: header.recording,
      redacted: header.redacted,
      sequence: books.recording.newest,
      kept: records.kept(),
      gaps: [...books.gaps],
      session: world.facts.session,
    });
  }

  #sit(desk: Omit<Desk, 'answers' | 'subscriptions' | 'incidents'>): void {
    const answers = new Answers(desk.records, () => this.#refresh());
    const {fed, books} = desk;
    const incidents =
      fed &&
      new IncidentDesk({
        books,
        live: fed,
        answers,
        slices: this.#slices,
        refresh: () => this.#refresh(),
        onFault: error => this.#send({type: 'broken', message: `incidents: ${String(error)}`}),
      });
    const subscriptions = new Subscriptions({
      answer: question => answers.answer(question),
      later: (question, done, failed) => answers.later(question, this.#slices, done, failed),
      send: message => {
        desk.keeper?.flush();
        this.#send(message);
      },
      sequence: () => desk.books.recording.newest,
      refresh: () => this.#refresh(),
      now: wallClock,
    });
    this.#desk = {...desk, answers, subscriptions, ...(incidents ? {incidents} : {})};
  }

  /** Collections came or went: what was laid out over the old ones is laid out again. */
  #regraph(books: Books, facts: readonly CollectionFacts[]): void {
    books.lives.update(facts, books.recording.newest);
    this.#desk?.answers.reset();
    this.#desk?.subscriptions.all();
    this.#flushSoon();
  }

  #command(id: number, command: Command): void {
    try {
      const {live, keeper, books} = this.#desk ?? {};
      if (live === undefined || keeper === undefined || books === undefined)
        throw new CommandRefused({
          code: 'read-only',
          message:
            'a recording, and a program that tells its own graph, are as they are; nothing can be added',
          hint: 'open a cluster or the demo for that',
        });
      const from = books.recording.newest + 1;
      const value = obey({live}, command);
      if (command.command === 'put-formula') books.lives.noteRevision(command.formula, from);
      books.lives.noteModules(live.modules.running(), from, books.recording.oldest);
      this.#firstRuns.soon();
      keeper.flush();
      this.#send({type: 'obeyed', id, value: JSON.stringify(value), sequence: books.recording.newest});
    } catch (error) {
      this.#send({type: 'disobeyed', id, failure: failureOf(error)});
    }
  }

  #settled(keeper: Keeper, trace: BatchTrace, origin: Origin): void {
    const batch = keeper.take(trace, origin);
    this.#dirt.add(batch);
    this.#counts.add(batch);
    this.#desk?.subscriptions.batch(batch);
    this.#desk?.incidents?.touch();
    if (trace.synced.length > 0) this.#firstQuestions.ask(trace.synced);
    this.#flushSoon();
  }

  /** Tells the views what changed, before anyone reads from them. */
  #refresh(): void {
    if (!this.#dirt.isClean) this.#desk?.answers.touch(this.#dirt.take());
  }

  #ask(id: number, question: Question): void {
    this.#answer(id, desk => {
      // What has settled is weighed first: an answer never shows more than the limits allow.
      desk.keeper?.flush();
      this.#refresh();
      const tell = (value: unknown): void => {
        desk.keeper?.flush();
        this.#send({type: 'answer', id, value: JSON.stringify(value), sequence: desk.books.recording.newest});
      };
      const fail = (error: unknown): void => this.#send({type: 'failed', id, failure: failureOf(error)});
      if (!desk.answers.later(question, this.#slices, tell, fail)) tell(this.#valueOf(desk, question));
    });
  }

  #valueOf(desk: Desk, question: Question): unknown {
    switch (question.ask) {
      case 'rows':
        return this.#rowsOf(desk, question);
      case 'formulas':
        return {
          formulas: desk.books.lives.formulas(question.at).map(({compiled: _, ...order}) => order),
          modules: desk.books.lives.modules(question.at),
        };
      case 'kept':
        return desk.records.kept();
      case 'metrics':
        return metricsOf(desk.records, this.#counts);
      default:
        return desk.answers.answer(question);
    }
  }

  /** A file's rows are listed as any question lists them; only a running graph has changes to follow. */
  #rowsOf({live}: Desk, {collection, since, next}: Extract<Question, {ask: 'rows'}>): unknown {
    if (live === undefined) throw new Unanswerable('bad-query', 'a recording has no feed', 'list its items');
    this.#feeds ??= new RowFeeds(live.engine);
    const answer = this.#feeds.answer(collection, since, next);
    if (answer !== undefined) return answer;
    throw new Unanswerable(
      'unknown-collection',
      `there is no collection "${collection}"`,
      'GET /api/v1/graph lists them',
    );
  }

  #answer(id: number, answer: (desk: Desk) => void): void {
    try {
      if (this.#desk === undefined) throw new Error('nothing has been started');
      answer(this.#desk);
    } catch (error) {
      this.#send({type: 'failed', id, failure: failureOf(error)});
    }
  }

  /** After what has come in by now: many small batches go to main in one message. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#guard(() => this.#desk?.keeper?.flush());
    });
  }
}
