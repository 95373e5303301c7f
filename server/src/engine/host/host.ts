// The engine process: takes main's messages and answers them from its desk (make-desk.ts). main.ts starts it.
import type {Question} from '@krtscope/shared/questions.ts';
import {MemoryBudget} from '../../history/file/memory-budget.ts';
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
import {Inflow} from './inflow.ts';
import type {Keeper} from './keeper.ts';
import {type GraphModule, type Origin, shippedGraph} from './live.ts';
import {type Around, openedDesk, runningDesk} from './make-desk.ts';
import {OwnAnswers} from './own-answers.ts';
import {seldom} from './pace.ts';
import {Lessons} from './practice.ts';
import {Readers} from './readers.ts';
import {type OpenedBooks, openBooks, writeBooks} from './recorded.ts';
import {Slices} from './slices.ts';

export class Host {
  readonly #send: (message: FromHost) => void;
  readonly #onFault: (error: unknown) => void;
  readonly #dirt = new Dirt();
  readonly #ownAnswers = new OwnAnswers();
  readonly #announcer: Announcer;
  #desk: Desk | undefined;
  #flushing = false;
  readonly #slices = new Slices(() => this.#announcer.rest());
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
  readonly #around: Around;
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
    this.#around = {
      announcer: this.#announcer,
      slices: this.#slices,
      send: this.#send,
      refresh: () => this.#refresh(),
      regraphed: () => this.#regraphed(),
      settled: (keeper, trace, origin) => this.#settled(keeper, trace, origin),
    };
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
        this.#open(message.bytes, message.memoryMb);
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
    this.#desk = runningDesk(options, graph, this.#around);
    if (!options.resumes) this.#desk.incidents?.open();
    this.#send({type: 'started'});
  }

  #open(bytes: Uint8Array, memoryMb: number): void {
    const tell = seldom((share: number) => this.#send({type: 'opening', share}));
    this.#slices.run(
      openBooks(bytes, new MemoryBudget(memoryMb * 2 ** 20, heapUsed), tell),
      opened => this.#opened(opened),
      error => this.#send({type: 'refused', message: error instanceof Error ? error.message : String(error)}),
    );
  }

  #opened(opened: OpenedBooks): void {
    const desk = openedDesk(opened, this.#around);
    this.#desk = desk;
    this.#send({
      type: 'opened',
      recording: desk.id,
      redacted: desk.redacted,
      sequence: desk.books.recording.newest,
      kept: desk.records.kept(),
      gaps: [...desk.books.gaps],
      session: opened.world.facts.session,
    });
  }

  /** What was laid out over the collections before is laid out again. */
  #regraphed(): void {
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
      const {newest, oldest} = books.recording;
      const from = newest + 1;
      const value = obey({live}, command);
      if (command.command === 'put-formula') books.lives.noteRevision(command.formula, from, oldest);
      books.lives.noteModules(live.modules.running(), from, oldest);
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
    this.#ownAnswers.counts.add(batch);
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
      if (!desk.answers.later(question, this.#slices, tell, fail))
        tell(this.#ownAnswers.valueOf(desk, question));
    });
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

const heapUsed = () => process.memoryUsage().heapUsed;
