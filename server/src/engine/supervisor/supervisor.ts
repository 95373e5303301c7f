// The engine process as the rest of main sees it. Starts it, feeds it, keeps what must survive it, and restarts it.
// Never runs a formula and never decodes a record.
import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {NOT_RUNNING, type RetainedHistory, type TimelineGap} from '@krtscope/shared/timeline.ts';
import {unpackBlocks} from '../link/block-packing.ts';
import {
  type Command,
  type CommandAnswer,
  type CommandName,
  type Culprit,
  commandRuleOf,
} from '../link/commands.ts';
import {
  createClosedFailure,
  createRestartingFailure,
  EngineFailure,
  type EngineMirror,
  type EngineState,
  type EngineTrouble,
  type OpenedEngineHandle,
  type RecordedSession,
  type SourceChange,
  type SourceFresh,
  type SourceReport,
  type UpdateListener,
} from '../link/engine-link.ts';
import type {FromHost, ObeyedCommand, ToHost} from '../link/host-messages.ts';
import type {ProgramBatchReport, ProgramChangeReport} from '../link/program-batch.ts';
import type {EarlierRecording, RecordingArchive} from '../link/recording-archive.ts';
import {ChangeSender} from './changes/change-sender.ts';
import {ReplayLog} from './changes/replay-log.ts';
import type {EngineProcessSettings} from './engine-options.ts';
import type {EngineProcess, EngineProcessEnd} from './engine-process.ts';
import {HostRequests} from './host-requests.ts';
import {IdleRest, RESTING} from './idle-rest.ts';
import {absenceText} from './recording/absence.ts';
import {writeSnapshot, writeSoFar} from './recording/disk-writes.ts';
import {RecordingBlocks} from './recording/recording-blocks.ts';
import {RecordingIndex} from './recording/recording-index.ts';
import {RestoreGate, readsPast} from './recording/restore-gate.ts';
import {UnconfirmedObjects} from './recording/unconfirmed-objects.ts';
import {RestartPolicy} from './restart-policy.ts';
import {quarantineMessage, RunningFormulaMonitor} from './running-formula.ts';
import {SlowProcesses} from './slow-processes.ts';
import {StandingCommands} from './standing-commands.ts';
import {
  createCopyMessage,
  createOpenMessage,
  createStartMessage,
  replayMessages,
  restoreMessages,
} from './start-messages.ts';
import {EngineMirrors} from './what-if/engine-mirrors.ts';

/** The time for a last snapshot. Without it, rows of formulas may be missing after the next start. */
const LAST_SNAPSHOT_MS = 700;

/** The time without a reader until the process of a session that nothing feeds ends. */
const REST_MS = 60_000;

/** Restoring a full recording takes a second, so pages that wait for the present come first. */
const RESTORE_MS = 250;

export class Supervisor implements OpenedEngineHandle {
  readonly opened: Promise<void>;
  readonly #options: EngineProcessSettings;
  readonly #file: Uint8Array | undefined;
  readonly #log = new ReplayLog();
  readonly #blocks = new RecordingBlocks();
  readonly #requests = new HostRequests();
  readonly #standing = new StandingCommands();
  readonly #listeners = new Set<(state: EngineState) => void>();
  readonly #quarantines = new Set<(culprit: Culprit, message: string) => void>();
  readonly #index: RecordingIndex;
  readonly #changes = new ChangeSender(
    this.#log,
    message => {
      this.#send(message);
      this.#mirrors.pass(message);
    },
    () => this.#state !== 'restarting' && this.#death === undefined && this.#hold.done === undefined,
    // A copy's objects may be newer than those that the process held when it was made.
    () => !this.#options.told && this.#mirrors.size === 0,
  );
  readonly #mirrors = new EngineMirrors();
  #opening: {resolve(): void; reject(failure: EngineFailure): void} | undefined;
  #engineProcess: EngineProcess;
  #state: EngineState = 'starting';
  /** A process has ended, and the next one waits for its time. */
  #isBetweenProcesses = false;
  #death: {at: number; reason: string} | undefined;
  #retry: NodeJS.Timeout | undefined;
  #readers = 0;
  readonly #restoring = new RestoreGate();
  readonly #runningFormula = new RunningFormulaMonitor(
    () => this.#engineProcess.pid,
    ({name}) => this.#engineProcess.kill(`the formula ${name} did not end within a second`),
  );
  readonly #slow = new SlowProcesses({
    send: event => this.#engineProcess.send(event),
    onCulprit: (culprit, reason) => {
      for (const message of this.#quarantine(culprit, reason)) this.#send(message);
    },
  });
  readonly #restarts: RestartPolicy;
  readonly #rest: IdleRest;
  #stopped = false;
  #archive: RecordingArchive | undefined;
  #unconfirmed = new UnconfirmedObjects(new Map());
  /** Ends when it is known whether an earlier recording goes on. The process has not started its graph before. */
  readonly #hold = new RestoreGate();

  constructor(options: EngineProcessSettings, file?: Uint8Array) {
    this.#options = options;
    this.#file = file;
    this.#restarts = new RestartPolicy(options, this.#log, {
      onMessage: message => this.#take(message),
      onEnd: end => this.#ended(end),
    });
    this.#rest = new IdleRest({
      afterMs: options.restMs ?? REST_MS,
      isBusy: () =>
        this.#state !== 'ready' ||
        this.#log.pending > 0 ||
        this.#requests.isUsed ||
        this.#restoring.done !== undefined,
      end: () => this.#engineProcess.kill(RESTING),
      start: () => {
        this.#engineProcess = this.#start();
      },
    });
    this.#index = new RecordingIndex(options);
    this.opened = new Promise((resolve, reject) => {
      this.#opening = {resolve, reject};
    });
    // Only openRecording awaits it. A failure elsewhere must not end main.
    this.opened.catch(() => {});
    if (options.awaitsArchive) this.#hold.begin();
    this.#engineProcess = this.#start();
  }

  get recording(): string {
    return this.#index.recording;
  }
  /** A process that rests starts with the next question, so readers find it ready. */
  get state(): EngineState {
    return this.#rest.isUp ? this.#state : 'ready';
  }
  get isResting(): boolean {
    return !this.#rest.isUp;
  }
  get sequence(): number {
    return this.#index.sequence;
  }
  get kept(): RetainedHistory {
    return this.#index.kept;
  }
  get gaps(): readonly TimelineGap[] {
    return this.#index.gaps;
  }
  get redacted(): boolean {
    return this.#index.redacted;
  }
  get session(): RecordedSession {
    return this.#index.session;
  }
  /** The current process, for tests. */
  get pid(): number {
    return this.#engineProcess.pid;
  }
  /** The processes of slow formulas, for tests. */
  get slowPids(): number[] {
    return this.#slow.pids;
  }
  /** The spare process, if there is one. */
  get sparePid(): number | undefined {
    return this.#restarts.sparePid;
  }

  onState(listener: (state: EngineState) => void): () => void {
    const own = (state: EngineState) => listener(state);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  onQuarantine(listener: (culprit: Culprit, message: string) => void): () => void {
    this.#quarantines.add(listener);
    return () => this.#quarantines.delete(listener);
  }

  async ask(question: Question): Promise<unknown> {
    await this.#hold.done;
    const isResting = !this.#rest.isUp;
    await this.#rest.wake();
    // Until the blocks are back, rows look as if they had just changed.
    if (isResting || readsPast(question)) await this.#restoring.wait();
    const {kept} = this.#index;
    if (this.#archive?.answers(question, kept)) return this.#archive.ask(question, kept);
    return this.#request(id => ({type: 'ask', id, question}));
  }

  subscribe(question: Question, on: UpdateListener, onFailure: (failure: ApiFailure) => void): () => void {
    if (this.#archive?.answers(question, this.#index.kept))
      return this.#archive.subscribe(question, () => this.#index.kept, on, onFailure);
    const id = this.#requests.subscribe({question, on, onFailure});
    void this.#rest.wake();
    if (this.#state !== 'restarting') this.#send({type: 'subscribe', id, question});
    return () => {
      if (this.#requests.unsubscribe(id)) this.#send({type: 'unsubscribe', id});
    };
  }

  apply(changes: SourceChange[]): void {
    if (changes.length === 0) return;
    this.#unconfirmed.confirm(changes);
    this.#changes.add({changes});
  }

  applyReported(changes: ProgramChangeReport[], report: ProgramBatchReport): void {
    this.#changes.add({changes, told: report});
  }

  get unsettled(): number {
    return this.#log.pending;
  }

  sourceState(collection: string, report: SourceReport): void {
    if (report.synced) this.apply(this.#unconfirmed.complete(collection));
    // Keep its place among the changes: "synced" must not overtake its objects.
    this.#changes.add({source: collection, report});
  }

  withhold(collection: string, objects: readonly {key: string; reason: string}[]): void {
    this.#changes.withhold(collection, objects);
  }

  freshen(sources: readonly SourceFresh[]): void {
    this.#changes.freshen(sources);
  }

  gap(gap: TimelineGap): void {
    this.#index.addGap(gap);
    this.#archive?.gap(gap);
    this.#send({type: 'gap', gap});
  }

  /**
   * From now on the recording is written to disk. With `earlier` it goes on where an earlier process of krtscope ended.
   * Without an archive it stays in memory.
   */
  attachArchive(archive: RecordingArchive | undefined, earlier?: EarlierRecording): void {
    if (this.#stopped) return;
    this.#archive = archive;
    if (archive !== undefined) {
      archive.takeSnapshot = () => this.#snapshot(archive);
      archive.askRing = question => this.#request(id => ({type: 'ask', id, question}));
    }
    this.#changes.onSent = archive && ((ids, arrivals) => archive.sent(ids, arrivals));
    if (earlier !== undefined) this.#resume(earlier);
    else if (archive !== undefined) writeSoFar(archive, this.#log, this.#blocks, this.#index);
    if (this.#hold.done === undefined) return;
    this.#hold.end();
    this.#brief(this.#engineProcess);
    if (this.#death === undefined)
      for (const message of this.#requests.subscriptions()) this.#engineProcess.send(message);
  }

  #resume(earlier: EarlierRecording): void {
    this.#index.resume(earlier);
    this.#blocks.resume(earlier);
    this.#log.resume(earlier.objects, earlier.reports);
    const keys = this.#log.keys();
    this.#unconfirmed = new UnconfirmedObjects(keys);
    this.#changes.freshen(
      [...keys.keys()].map(collection => ({collection, asOf: earlier.at, current: false})),
    );
    this.#death = {at: earlier.at, reason: NOT_RUNNING};
    this.#restoring.begin();
    if (this.#hold.done === undefined) this.#engineProcess.kill(NOT_RUNNING);
  }

  command<N extends CommandName>(command: Extract<Command, {command: N}>): Promise<CommandAnswer<N>> {
    if (this.#stopped) return Promise.reject(createClosedFailure());
    const {message, answer} = this.#standing.issue(command);
    void this.#rest.wake();
    const {forgets} = commandRuleOf(command);
    if (forgets !== undefined) this.#log.forgetPending(forgets);
    this.#changes.flush();
    // A process that still replays gets it afterwards: its replay must end with the state that its records end with.
    if (this.#death === undefined && this.#hold.done === undefined) this.#engineProcess.send(message);
    return answer as Promise<CommandAnswer<N>>;
  }

  async *krtz(indent = 0): AsyncGenerator<string> {
    this.#readers += 1;
    const reader = this.#readers;
    try {
      for (let pieces = 0; ; pieces++) {
        const text = (await this.#request(id => ({type: 'read', id, reader, pieces, indent}))) as
          | string
          | null;
        if (text === null) return;
        yield text;
      }
    } finally {
      this.#send({type: 'read-end', reader});
    }
  }

  async export(session: RecordedSession = this.#index.session): Promise<Uint8Array> {
    await this.#rest.wake();
    await this.#restoring.wait();
    return (await this.#request(id => ({type: 'export', id, session}))) as Uint8Array;
  }

  allowRest(isAllowed: boolean): void {
    this.#rest.allow(isAllowed);
  }

  mirror(onMessage: (message: ToHost) => void): EngineMirror {
    return this.#mirrors.add(this.#copyMessages(), onMessage);
  }

  *#copyMessages(): Iterable<ToHost> {
    // Read this at once: these may be settled before the last chunk of objects is sent.
    const arrivals = this.#log.sentArrivals();
    yield createCopyMessage(createStartMessage(this.#options, this.#index, true).options);
    yield* this.#standing.standing();
    yield* replayMessages(this.#log, this.#blocks);
    if (arrivals.length > 0)
      yield {type: 'apply', ids: arrivals.map(() => 0), arrivals: JSON.stringify(arrivals)};
  }

  async stop(): Promise<void> {
    if (this.#archive?.isWriter && this.#state === 'ready' && !this.#stopped)
      await Promise.race([this.#snapshot(this.#archive), waitFor(LAST_SNAPSHOT_MS)]);
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#runningFormula.stop();
    this.#slow.closeAll();
    this.#rest.stop();
    this.#hold.end();
    this.#restoring.end();
    this.#requests.failAll(createClosedFailure());
    this.#standing.failAll(createClosedFailure());
    this.#opening?.reject(createClosedFailure());
    await Promise.all([this.#restarts.stop(), this.#archive?.close()]);
  }

  #start(): EngineProcess {
    this.#changes.restart();
    this.#archive?.rewound();
    const {last} = this.#restarts;
    const now = Date.now();
    for (const {collection, key} of this.#log.rewind(last)) {
      const text = `${collection}/${key} is not shown: it crashed the engine process twice (${last.reason}). krtscope tries its next change.`;
      this.#index.addEngineGap(now, now, text);
      this.#options.log?.('object withheld from the engine process', {
        session: this.#options.name,
        collection,
        key,
      });
    }
    const engineProcess = this.#restarts.next(this.#death !== undefined);
    if (this.#hold.done === undefined) this.#brief(engineProcess);
    return engineProcess;
  }

  /** Sends a new process what it needs to begin. */
  #brief(engineProcess: EngineProcess): void {
    const replays = this.#death !== undefined;
    if (this.#file !== undefined) {
      engineProcess.send(createOpenMessage(this.#file, this.#options));
      return;
    }
    engineProcess.send(createStartMessage(this.#options, this.#index, replays));
    for (const message of this.#standing.standing()) engineProcess.send(message);
    if (!replays) for (const message of this.#standing.unanswered()) engineProcess.send(message);
    // Write these while the process still starts. It reads them in order.
    if (replays)
      engineProcess.sendInTurns(
        replayMessages(this.#log, this.#blocks),
        () => engineProcess === this.#engineProcess && !this.#stopped,
      );
  }

  #take(message: FromHost): void {
    if ('sequence' in message) this.#index.sequence = Math.max(this.#index.sequence, message.sequence);
    if (this.#requests.take(message)) return;
    switch (message.type) {
      case 'started':
        if (this.#death === undefined) this.#ready();
        return;
      case 'settled':
        if (message.kept !== undefined) this.#index.kept = message.kept;
        this.#archive?.settled({...message, rows: message.rows ?? []});
        this.#blocks.store(unpackBlocks(message.blocks), message.drop);
        this.#blocks.storeRows(message.rows);
        if (message.lives !== undefined) this.#blocks.collectionHistory = message.lives;
        for (const obeyed of message.obeyed ?? []) this.#obeyed(obeyed);
        this.#changes.settle(message.through);
        if (this.#archive?.isSnapshotDue) void this.#snapshot(this.#archive);
        return;
      case 'disobeyed': {
        const command = this.#standing.markRefused(message.id, message.failure);
        if (command !== undefined) this.#unobeyed(command, message.failure);
        return;
      }
      case 'spans':
        this.#options.onSpans?.(message.batches);
        return;
      case 'running':
        this.#runningFormula.note({name: message.formula, hash: message.hash});
        return;
      case 'rested':
        this.#runningFormula.rest();
        return;
      case 'slow-open':
        this.#standing.markSlow(message.formula);
        this.#slow.take(message);
        return;
      case 'slow-rows':
      case 'slow-close':
        this.#slow.take(message);
        return;
      case 'replayed':
        this.#replayed();
        return;
      case 'restored':
        this.#restoring.end();
        return;
      case 'opening':
        this.#options.onOpening?.(message.share);
        return;
      case 'opened':
        this.#index.readHeader(message);
        if (this.#death !== undefined)
          for (const again of this.#requests.subscriptions()) this.#engineProcess.send(again);
        this.#death = undefined;
        this.#ready();
        this.#opening?.resolve();
        return;
      case 'refused':
        this.#opening?.reject(
          new EngineFailure({
            code: 'bad-query',
            message: message.message,
            hint: 'take a .krtrec that this version of krtscope wrote: GET /api/v1/recording, or Export in the Timeline',
          }),
        );
        return;
      case 'broken':
        this.#options.log?.('engine process error', {
          session: this.#options.name,
          error: message.message,
        });
        return;
      default:
        return;
    }
  }

  #snapshot(archive: RecordingArchive): Promise<void> {
    const {session} = this.#index;
    return writeSnapshot(archive, this.#log, this.#blocks, async () => {
      await this.#restoring.wait();
      return (await this.#request(id => ({type: 'snapshot', id, session}))) as Uint8Array;
    });
  }

  #obeyed(obeyed: ObeyedCommand): void {
    const command = this.#standing.markObeyed(obeyed);
    if (command !== undefined) this.#mirrors.passCommand(command);
    const forgets = command && commandRuleOf(command).forgets;
    if (forgets !== undefined) this.#log.forget(forgets);
  }

  #unobeyed({command}: Command, {message}: ApiFailure): void {
    this.#options.log?.('command refused by the restarted engine process', {
      session: this.#options.name,
      command,
      message,
    });
  }

  #ready(): void {
    this.#become('ready');
    this.#changes.begin();
  }

  /** The replay is complete: the state is the one after the previous process's last record. */
  #replayed(): void {
    const death = this.#death;
    this.#death = undefined;
    if (death === undefined) return;
    const now = Date.now();
    const took = now - death.at;
    if (death.reason !== RESTING) {
      const gap = this.#index.addEngineGap(death.at, now, absenceText(death.reason, took, this.#log.size));
      this.#archive?.gap(gap);
    }
    for (const message of this.#standing.unanswered()) this.#engineProcess.send(message);
    for (const message of this.#requests.subscriptions()) this.#engineProcess.send(message);
    this.#restoring.begin();
    this.#ready();
    const engineProcess = this.#engineProcess;
    this.#retry = setTimeout(() => this.#giveBack(engineProcess), RESTORE_MS);
    this.#options.log?.('engine process restarted', {session: this.#options.name, milliseconds: took});
  }

  #giveBack(engineProcess: EngineProcess): void {
    if (engineProcess !== this.#engineProcess || this.#stopped) return;
    for (const message of restoreMessages(this.#blocks, this.#index)) engineProcess.send(message);
  }

  #ended({reason, slow, mute}: EngineProcessEnd): void {
    if (this.#stopped) return;
    clearTimeout(this.#retry);
    this.#slow.closeAll();
    const now = Date.now();
    const culprit = this.#runningFormula.take();
    if (this.#rest.isEnding) {
      // Its readers see no change: the next question starts a process.
      this.#state = 'restarting';
      this.#death ??= {at: now, reason: RESTING};
      this.#rest.takeEnd();
      return;
    }
    this.#rest.up();
    const delay = this.#restarts.delayAfter({reason, slow, innocent: culprit !== undefined || mute});
    if (reason !== NOT_RUNNING)
      this.#death ??= {at: now, reason: culprit === undefined ? reason : quarantineMessage(culprit, reason)};
    this.#become('restarting');
    if (culprit !== undefined) this.#quarantine(culprit, reason);
    else if (!mute) this.#standing.handleDeath();
    // Questions that wait for the past fail like all others: the process is away.
    this.#restoring.end();
    this.#requests.failAll(createRestartingFailure());
    this.#opening?.reject(
      new EngineFailure({
        code: 'internal',
        message: `the engine process ended: ${reason}`,
        hint: 'try again',
      }),
    );
    this.#options.log?.('engine process ended, restarting', {
      session: this.#options.name,
      reason,
      delay,
    });
    this.#isBetweenProcesses = true;
    this.#retry = setTimeout(() => this.#startNext(), delay);
    // The state is the same as after the end before, and what it says of the reason is not.
    if (this.trouble !== undefined) for (const listener of [...this.#listeners]) listener('restarting');
  }

  /** One death is enough, because the culprit is known. */
  #quarantine(culprit: Culprit, reason: string): ToHost[] {
    const message = quarantineMessage(culprit, reason);
    const changed = this.#standing.quarantine(culprit, {message});
    for (const listener of [...this.#quarantines]) listener(culprit, message);
    return changed;
  }

  get trouble(): EngineTrouble | undefined {
    const {failures: ends, last} = this.#restarts;
    return this.#state === 'restarting' && ends > 1 ? {ends, reason: last.reason} : undefined;
  }

  restartNow(): void {
    if (!this.#isBetweenProcesses || this.#stopped) return;
    clearTimeout(this.#retry);
    this.#startNext();
  }

  #startNext(): void {
    this.#isBetweenProcesses = false;
    if (!this.#stopped) this.#engineProcess = this.#start();
  }

  #request(message: (id: number) => ToHost): Promise<unknown> {
    if (!this.#rest.isUp && !this.#stopped) return this.#rest.wake().then(() => this.#request(message));
    const isAway = this.#state === 'restarting' || this.#stopped || this.#hold.done !== undefined;
    if (isAway) return Promise.reject(createRestartingFailure());
    this.#changes.flush();
    return this.#requests.ask(sent => this.#engineProcess.send(sent), message);
  }

  #send(message: ToHost): void {
    if (this.#state !== 'restarting' && this.#hold.done === undefined) this.#engineProcess.send(message);
  }

  #become(state: EngineState): void {
    if (state === 'ready') this.#rest.up();
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'ready' && this.#file === undefined && !this.#stopped) this.#restarts.prepareStandby();
    for (const listener of [...this.#listeners]) listener(state);
  }
}

function waitFor(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds).unref());
}
