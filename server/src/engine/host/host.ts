// The engine process: takes main's messages and answers them from its state (create-host-state.ts). main.ts starts
// it.
import type {Question} from '@krtscope/shared/questions.ts';
import {MemoryBudget} from '../../history/file/memory-budget.ts';
import type {BatchTrace} from '../../krt/index.ts';
import type {Command} from '../link/commands.ts';
import type {RecordedSession} from '../link/engine-link.ts';
import type {FromHost, StartOptions, ToHost} from '../link/host-messages.ts';
import {ChangeReceiver} from './change-receiver.ts';
import {executeCommand} from './commands.ts';
import {createLiveHostState, createRecordedHostState, type HostStateCallbacks} from './create-host-state.ts';
import {CommandRefused, failureOf} from './failures.ts';
import {FormulaAnnouncer} from './formulas/formula-announcer.ts';
import {formulaHashesOf} from './formulas/rerun-formulas.ts';
import {throttle} from './frames/frame-rate.ts';
import {PendingChanges} from './frames/pending-changes.ts';
import type {HostState} from './host-state.ts';
import {KrtzStreams} from './krtz-stream.ts';
import {FirstRuns} from './live-graph/first-runs.ts';
import {type BatchWriteOrigin, type LiveGraphBuilder, shippedGraph} from './live-graph/live-graph.ts';
import {ProcessQueries} from './process-queries.ts';
import {type DecodedRecording, decodeRecording, encodeRecording} from './recording/recording-codec.ts';
import type {TraceRecorder} from './recording/trace-recorder.ts';
import {SliceScheduler} from './slice-scheduler.ts';
import {WarmUp} from './warm-up.ts';
import {WhyWarmUp} from './why-warm-up.ts';

export class Host {
  readonly #send: (message: FromHost) => void;
  readonly #onFault: (error: unknown) => void;
  readonly #dirt = new PendingChanges();
  readonly #ownAnswers = new ProcessQueries();
  readonly #announcer: FormulaAnnouncer;
  #desk: HostState | undefined;
  #flushing = false;
  readonly #slices = new SliceScheduler(() => this.#announcer.announceRest());
  readonly #readers = new KrtzStreams();
  readonly #firstRuns = new FirstRuns(() => this.#proceed());
  readonly #inflow = new ChangeReceiver({
    firstRuns: this.#firstRuns,
    slices: this.#slices,
    send: message => this.#send(message),
    guard: work => this.#guard(work),
    flushSoon: () => this.#flushSoon(),
  });
  readonly #firstQuestions = new WhyWarmUp({
    slices: this.#slices,
    records: () => this.#desk?.records,
    answer: question => this.#desk?.answers.answer(question),
  });
  readonly #around: HostStateCallbacks;
  readonly #lessons = new WarmUp();
  #waiting: ToHost[] | undefined;

  /** `onFault` reports an error that belongs to neither a question nor a formula. */
  constructor(send: (message: FromHost) => void, onFault: (error: unknown) => void) {
    this.#announcer = new FormulaAnnouncer(send);
    // Main may end this process as soon as it has an answer. Announce first that no formula runs, or a formula is
    // blamed.
    this.#send = message => {
      this.#announcer.announceRest();
      send(message);
    };
    this.#onFault = onFault;
    this.#around = {
      announcer: this.#announcer,
      slices: this.#slices,
      send: this.#send,
      refresh: () => this.#refresh(),
      onGraphChanged: () => this.#regraphed(),
      onSettled: (keeper, trace, origin) => this.#settled(keeper, trace, origin),
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
      this.#announcer.announceRest();
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
        this.#desk?.writableGraph?.freshen(message.sources);
        this.#desk?.subscriptions.markAll();
        return;
      case 'aside':
        this.#desk?.live?.setWithheld(message.aside);
        this.#desk?.subscriptions.markAll();
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
      const formulas = desk.live === undefined ? desk.formulas : formulaHashesOf(desk.live.engine);
      this.#slices.run(
        encodeRecording({...desk, formulas}, session, desk.dump(0)),
        bytes => this.#send({type: 'exported', id, bytes}),
        error => this.#send({type: 'failed', id, failure: failureOf(error)}),
      );
    });
  }

  #proceed(): boolean {
    let more = false;
    this.#guard(() => {
      more = this.#desk?.live?.runFirstSlice() ?? false;
    });
    return more;
  }

  #start(options: StartOptions): void {
    if (options.graph === undefined) {
      this.#begin(options, shippedGraph);
      return;
    }
    // Messages that arrive in the meantime keep their order.
    this.#waiting = [];
    import(options.graph).then(
      (module: LiveGraphBuilder) => {
        this.#begin(options, module);
        const waiting = this.#waiting ?? [];
        this.#waiting = undefined;
        for (const message of waiting) this.take(message);
      },
      (error: Error) => this.#send({type: 'broken', message: error.message}),
    );
  }

  #begin(options: StartOptions, graph: LiveGraphBuilder): void {
    this.#desk = createLiveHostState(options, graph, this.#around);
    if (!options.resumes) this.#desk.incidents?.start();
    this.#send({type: 'started'});
  }

  #open(bytes: Uint8Array, memoryMb: number): void {
    const tell = throttle((share: number) => this.#send({type: 'opening', share}));
    this.#slices.run(
      decodeRecording(bytes, new MemoryBudget(memoryMb * 2 ** 20, heapUsed), tell),
      opened => this.#opened(opened),
      error => this.#send({type: 'refused', message: error instanceof Error ? error.message : String(error)}),
    );
  }

  #opened(opened: DecodedRecording): void {
    const desk = createRecordedHostState(opened, this.#around);
    this.#desk = desk;
    this.#send({
      type: 'opened',
      recording: desk.id,
      redacted: desk.redacted,
      sequence: desk.history.recording.newest,
      kept: desk.records.kept(),
      gaps: [...desk.history.gaps],
      session: opened.graph.facts.session,
    });
  }

  /** Rebuilds what depends on the set of collections. */
  #regraphed(): void {
    this.#desk?.answers.reset();
    this.#desk?.subscriptions.markAll();
    this.#flushSoon();
  }

  #command(id: number, command: Command): void {
    try {
      const {live, recorder: keeper, history: books} = this.#desk ?? {};
      if (live === undefined || keeper === undefined || books === undefined)
        throw new CommandRefused({
          code: 'read-only',
          message:
            'a recording, and a program that tells its own graph, are as they are; nothing can be added',
          hint: 'open a cluster or the demo for that',
        });
      const {newest, oldest} = books.recording;
      const from = newest + 1;
      const value = executeCommand({live}, command);
      if (command.command === 'put-formula') books.collections.noteRevision(command.formula, from, oldest);
      books.collections.noteModules(live.moduleInstaller.running(), from, oldest);
      this.#firstRuns.schedule();
      keeper.flush();
      this.#send({type: 'obeyed', id, value: JSON.stringify(value), sequence: books.recording.newest});
    } catch (error) {
      this.#send({type: 'disobeyed', id, failure: failureOf(error)});
    }
  }

  #settled(keeper: TraceRecorder, trace: BatchTrace, origin: BatchWriteOrigin): void {
    const batch = keeper.record(trace, origin);
    this.#dirt.add(batch);
    this.#ownAnswers.counts.add(batch);
    this.#desk?.subscriptions.markBatch(batch);
    this.#desk?.incidents?.markChanged();
    if (trace.synced.length > 0) this.#firstQuestions.schedule(trace.synced);
    this.#flushSoon();
  }

  /** Tells the views what changed. Call it before reading from them. */
  #refresh(): void {
    if (!this.#dirt.isEmpty) this.#desk?.answers.markChanged(this.#dirt.take());
  }

  #ask(id: number, question: Question): void {
    this.#answer(id, desk => {
      // Flush first, so that an answer never shows more than the recording's limits allow.
      desk.recorder?.flush();
      this.#refresh();
      const tell = (value: unknown): void => {
        desk.recorder?.flush();
        this.#send({
          type: 'answer',
          id,
          value: JSON.stringify(value),
          sequence: desk.history.recording.newest,
        });
      };
      const fail = (error: unknown): void => this.#send({type: 'failed', id, failure: failureOf(error)});
      if (!desk.answers.answerInSlices(question, this.#slices, tell, fail))
        tell(this.#ownAnswers.answer(desk, question));
    });
  }

  #answer(id: number, answer: (desk: HostState) => void): void {
    try {
      if (this.#desk === undefined) throw new Error('nothing has been started');
      answer(this.#desk);
    } catch (error) {
      this.#send({type: 'failed', id, failure: failureOf(error)});
    }
  }

  /** Waits for all messages of this turn, so that many small batches reach main in one message. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#guard(() => this.#desk?.recorder?.flush());
    });
  }
}

const heapUsed = () => process.memoryUsage().heapUsed;
