// The engine process: takes main's messages and answers them from its state (create-host-state.ts). main.ts starts
// it.
import type {Question} from '@krtscope/shared/questions.ts';
import {MemoryBudget} from '../../history/file/memory-budget.ts';
import type {BatchTrace} from '../../krt/index.ts';
import {type Command, commandRuleOf} from '../link/commands.ts';
import type {CopyTrial} from '../link/copy-trial.ts';
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
import {
  type BatchWriteOrigin,
  type LiveGraph,
  type LiveGraphBuilder,
  shippedGraph,
} from './live-graph/live-graph.ts';
import {ProcessQueries} from './process-queries.ts';
import {BatchSpans} from './recording/batch-spans.ts';
import {type DecodedRecording, decodeRecording, encodeRecording} from './recording/recording-codec.ts';
import type {TraceRecorder} from './recording/trace-recorder.ts';
import {SliceScheduler} from './slice-scheduler.ts';
import {WarmUp} from './warm-up.ts';
import {CopyTrials} from './what-if/copy-trials.ts';
import {WhyWarmUp} from './why-warm-up.ts';

/** Milliseconds between two messages about settled batches. One message takes longer to send than its content. */
const SETTLED_MS = 10;

export class Host {
  readonly #send: (message: FromHost) => void;
  readonly #onFault: (error: unknown) => void;
  readonly #pendingChanges = new PendingChanges();
  readonly #processQueries = new ProcessQueries();
  readonly #announcer: FormulaAnnouncer;
  #state: HostState | undefined;
  #flushing = false;
  #flushedAt = Number.NEGATIVE_INFINITY;
  readonly #slices = new SliceScheduler(() => this.#announcer.announceRest());
  readonly #krtzStreams = new KrtzStreams();
  readonly #firstRuns = new FirstRuns(() => this.#proceed());
  readonly #changeReceiver = new ChangeReceiver({
    firstRuns: this.#firstRuns,
    slices: this.#slices,
    send: message => this.#send(message),
    guard: work => this.#guard(work),
    flushSoon: () => this.#flushSoon(),
  });
  readonly #whyWarmUp = new WhyWarmUp({
    slices: this.#slices,
    records: () => this.#state?.records,
    answer: question => this.#state?.answers.answer(question),
  });
  readonly #callbacks: HostStateCallbacks;
  readonly #warmUp = new WarmUp();
  readonly #copyTrials = new CopyTrials();
  #waiting: ToHost[] | undefined;
  /** Undefined unless an exporter is on. */
  #spans: BatchSpans | undefined;

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
    this.#callbacks = {
      announcer: this.#announcer,
      slices: this.#slices,
      send: this.#send,
      guard: work => this.#guard(work),
      refresh: () => this.#refresh(),
      onGraphChanged: () => this.#graphChanged(),
      onSettled: (recorder, trace, origin) => this.#settled(recorder, trace, origin),
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
        this.#warmUp.take(message.objects, message.last);
        return;
      case 'ping':
        this.#send({type: 'pong', n: message.n, rss: process.memoryUsage.rss()});
        return;
      case 'ask':
        this.#changeReceiver.catchUp();
        this.#ask(message.id, message.question);
        return;
      case 'command':
        this.#changeReceiver.catchUp();
        this.#command(message.id, message.command);
        return;
      case 'export':
        this.#changeReceiver.catchUp();
        this.#export(message.id, message.session);
        return;
      case 'snapshot':
        this.#changeReceiver.catchUp();
        this.#snapshot(message.id, message.session);
        return;
      case 'read': {
        const {id, reader, pieces, indent} = message;
        this.#answer(id, state => {
          const text = this.#krtzStreams.next(reader, pieces, () => state.dump(indent));
          this.#send({type: 'piece', id, text});
        });
        return;
      }
      case 'read-end':
        this.#krtzStreams.end(message.reader);
        return;
      case 'objects':
        this.#inCopy(message.id, (_state, live) => this.#copyTrials.objects(live, message.refs));
        return;
      case 'what-if':
        this.#inCopy(message.id, (state, live) =>
          this.#copyTrials.run(state, live, JSON.parse(message.trial) as CopyTrial),
        );
        return;
      case 'fresh':
        this.#state?.writableGraph?.freshen(message.sources);
        this.#state?.subscriptions.markAll();
        return;
      case 'aside':
        this.#state?.live?.setWithheld(message.aside);
        this.#state?.subscriptions.markAll();
        return;
      case 'subscribe':
        this.#refresh();
        this.#state?.subscriptions.subscribe(message.id, message.question);
        return;
      case 'unsubscribe':
        this.#state?.subscriptions.unsubscribe(message.id);
        return;
      case 'slow-report':
      case 'slow-progress':
      case 'slow-lost':
        this.#state?.live?.lanes?.take(message);
        return;
      default:
        if (this.#state !== undefined) this.#changeReceiver.take(this.#state, message);
    }
  }

  #export(id: number, session: RecordedSession = {name: ''}): void {
    this.#answer(id, state => {
      const formulas = state.live === undefined ? state.formulas : formulaHashesOf(state.live.engine);
      this.#slices.run(
        encodeRecording({...state, formulas}, session, state.dump(0)),
        bytes => this.#send({type: 'exported', id, bytes}),
        error => this.#send({type: 'failed', id, failure: failureOf(error)}),
      );
    });
  }

  #snapshot(id: number, session: RecordedSession = {name: ''}): void {
    this.#answer(id, state => {
      // Main must have all blocks of the state.
      state.recorder?.flush();
      const formulas = state.live === undefined ? state.formulas : formulaHashesOf(state.live.engine);
      this.#slices.run(
        encodeRecording({...state, formulas}, session, [], false),
        bytes => this.#send({type: 'exported', id, bytes}),
        error => this.#send({type: 'failed', id, failure: failureOf(error)}),
      );
    });
  }

  #proceed(): boolean {
    let more = false;
    this.#guard(() => {
      more = this.#state?.live?.runFirstSlice() ?? false;
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
    if (options.spans) this.#spans = new BatchSpans(this.#send);
    this.#state = createLiveHostState(options, graph, this.#callbacks);
    if (!options.resumes && !options.copy) this.#state.incidents?.start();
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
    const state = createRecordedHostState(opened, this.#callbacks);
    this.#state = state;
    this.#send({
      type: 'opened',
      recording: state.id,
      redacted: state.redacted,
      sequence: state.history.recording.newest,
      kept: state.records.kept(),
      gaps: [...state.history.gaps],
      session: opened.graph.facts.session,
    });
  }

  /** Rebuilds what depends on the set of collections. */
  #graphChanged(): void {
    this.#state?.answers.reset();
    this.#state?.subscriptions.markAll();
    this.#flushSoon();
  }

  #command(id: number, command: Command): void {
    try {
      const {live, recorder, history, writableGraph} = this.#state ?? {};
      if (live === undefined || recorder === undefined || history === undefined)
        throw new CommandRefused({
          code: 'read-only',
          message: 'a recording cannot be changed',
          hint: 'open a cluster or the demo for that',
        });
      const {oldest} = recorder;
      const {after, about} = commandRuleOf(command);
      writableGraph?.prepare?.([...after, about]);
      const from = history.recording.newest + 1;
      const value = executeCommand({live}, command);
      if (command.command === 'put-formula') history.collections.noteRevision(command.formula, from, oldest);
      history.collections.noteModules(live.moduleInstaller.running(), from, oldest);
      history.collections.noteEndings(live.userCollections.takeEndings(), from);
      this.#firstRuns.schedule();
      recorder.noteObeyed({id, value: JSON.stringify(value)});
      recorder.flush();
    } catch (error) {
      this.#send({type: 'disobeyed', id, failure: failureOf(error)});
    }
  }

  /** Answers a question to a copy, after everything that the session has sent it. */
  #inCopy(id: number, answer: (state: HostState, live: LiveGraph) => unknown): void {
    this.#changeReceiver.catchUp();
    this.#firstRuns.whenDone(() =>
      this.#answer(id, state => {
        if (state.live === undefined) throw new Error('a copy needs a graph that runs here');
        const value = JSON.stringify(answer(state, state.live));
        this.#refresh();
        this.#send({type: 'answer', id, value, sequence: state.history.recording.newest});
        state.recorder?.flush();
      }),
    );
  }

  #settled(recorder: TraceRecorder, trace: BatchTrace, origin: BatchWriteOrigin): void {
    const batch = recorder.record(trace, origin);
    this.#copyTrials.noteBatch(trace);
    if (this.#spans !== undefined && !recorder.isReplaying) this.#spans.add(trace, origin);
    this.#pendingChanges.add(batch);
    this.#processQueries.counts.add(batch);
    this.#state?.subscriptions.markBatch(batch);
    this.#state?.incidents?.markChanged();
    if (trace.synced.length > 0) this.#whyWarmUp.schedule(trace.synced);
    this.#flushSoon();
  }

  /** Tells the views what changed. Call it before reading from them. */
  #refresh(): void {
    if (!this.#pendingChanges.isEmpty) this.#state?.answers.markChanged(this.#pendingChanges.take());
  }

  #ask(id: number, question: Question): void {
    this.#answer(id, state => {
      // Flush first, so that an answer never shows more than the recording's limits allow.
      state.recorder?.flush();
      this.#refresh();
      const tell = (value: unknown): void => {
        state.recorder?.flush();
        this.#send({
          type: 'answer',
          id,
          value: JSON.stringify(value),
          sequence: state.history.recording.newest,
        });
      };
      const fail = (error: unknown): void => this.#send({type: 'failed', id, failure: failureOf(error)});
      if (!state.answers.answerInSlices(question, this.#slices, tell, fail))
        tell(this.#processQueries.answer(state, question));
    });
  }

  #answer(id: number, answer: (state: HostState) => void): void {
    try {
      if (this.#state === undefined) throw new Error('nothing has been started');
      answer(this.#state);
    } catch (error) {
      this.#send({type: 'failed', id, failure: failureOf(error)});
    }
  }

  /** Many small batches reach main in one message. Answers and frames flush before they are sent. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    const flush = () => {
      this.#flushing = false;
      this.#flushedAt = performance.now();
      this.#guard(() => {
        this.#state?.recorder?.flush();
        this.#spans?.flush();
      });
    };
    const wait = this.#flushedAt + SETTLED_MS - performance.now();
    if (wait > 0) setTimeout(flush, wait);
    else setImmediate(flush);
  }
}

const heapUsed = () => process.memoryUsage().heapUsed;
