// Main and its engine process in one process: a real Host, and the parts of the supervisor that keep what survives it.
// A kill drops every later message of the host. The old host stays readable, to compare its past with the new host's.
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {QuestionInput} from '@krtscope/shared/questions.ts';
import {questionSchema} from '@krtscope/shared/questions.ts';
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import {Host} from '../../src/engine/host/host.ts';
import {unpackBlocks} from '../../src/engine/link/block-packing.ts';
import {type Command, type Culprit, commandRuleOf} from '../../src/engine/link/commands.ts';
import type {Arrival, FromHost} from '../../src/engine/link/host-messages.ts';
import {ReplayLog} from '../../src/engine/supervisor/changes/replay-log.ts';
import {RecordingBlocks} from '../../src/engine/supervisor/recording/recording-blocks.ts';
import {RecordingIndex} from '../../src/engine/supervisor/recording/recording-index.ts';
import {StandingCommands} from '../../src/engine/supervisor/standing-commands.ts';
import {
  createStartMessage,
  replayMessages,
  restoreMessages,
} from '../../src/engine/supervisor/start-messages.ts';

const settingsOf = (historyRuns: number) => ({
  name: 'fuzz',
  memoryMb: 512,
  historyRuns,
  historyMb: 64,
  redacted: true,
  sources: [{collection: 'Widgets'}, {collection: 'Gadgets'}],
});

/** A host and whether main still hears it. */
export class HostProcess {
  readonly host: Host;
  isAlive = true;
  readonly #answers = new Map<number, (message: FromHost) => void>();
  #ids = 1_000_000;

  constructor(onMessage: (message: FromHost) => void, onFault: (error: unknown) => void) {
    this.host = new Host(
      message => {
        const answer = 'id' in message ? this.#answers.get(message.id) : undefined;
        if (answer !== undefined) answer(message);
        else if (this.isAlive) onMessage(structuredClone(message));
      },
      error => {
        if (this.isAlive) onFault(error);
      },
    );
  }

  /** One more batch, which main does not hear of. */
  async addBatch(): Promise<void> {
    const {newest} = await this.ask<RetainedHistory>({ask: 'kept'});
    const change = {
      collection: 'Widgets',
      key: 'last',
      event: 'update',
      new: {key: 'last', n: 1},
      received: 0,
    };
    this.host.take({
      type: 'apply',
      ids: [Number.MAX_SAFE_INTEGER],
      arrivals: JSON.stringify([{changes: [change]}]),
    });
    for (let turn = 0; turn < 1000; turn++) {
      if ((await this.ask<RetainedHistory>({ask: 'kept'})).newest > newest) return;
      await nextTurn();
    }
  }

  async ask<T>(input: QuestionInput): Promise<T> {
    this.#ids += 1;
    const id = this.#ids;
    const answered = new Promise<FromHost>(resolve => this.#answers.set(id, resolve));
    this.host.take({type: 'ask', id, question: questionSchema.parse(input)});
    const message = await answered;
    this.#answers.delete(id);
    if (message.type === 'answer') return JSON.parse(message.value) as T;
    throw new Error(message.type === 'failed' ? message.failure.message : message.type);
  }
}

export class HostSession {
  /** Errors that the host reported. */
  readonly faults: string[] = [];
  readonly #log = new ReplayLog();
  readonly #blocks = new RecordingBlocks();
  readonly #standing = new StandingCommands();
  readonly #settings: ReturnType<typeof settingsOf>;
  readonly #index: RecordingIndex;
  #process: HostProcess;
  #isUp = false;
  #isRestored = true;
  #running: Culprit | undefined;
  /** The number of further messages from the host before it is killed. */
  #fuse = Number.POSITIVE_INFINITY;

  /** `historyRuns`: how many runs the recording retains. */
  constructor(historyRuns: number) {
    this.#settings = settingsOf(historyRuns);
    this.#index = new RecordingIndex(this.#settings);
    this.#process = this.#start(false);
  }

  get process(): HostProcess {
    return this.#process;
  }

  get isKilled(): boolean {
    return !this.#process.isAlive;
  }

  /** The formula that ran last. */
  get running(): string | undefined {
    return this.#running?.name;
  }

  /** The newest batch whose block main has. */
  get newest(): number {
    let newest = 0;
    for (const chunk of this.#blocks.chunks())
      for (const {sequence} of chunk) newest = Math.max(newest, sequence);
    return newest;
  }

  apply(arrival: Arrival): void {
    this.#log.add(arrival);
    this.#send();
  }

  /** Resolves to whether the host obeyed. A refusal is an answer like any other. */
  command(command: Command): Promise<boolean> {
    const {message, answer} = this.#standing.issue(command);
    const {forgets} = commandRuleOf(command);
    if (forgets !== undefined) this.#log.forgetPending(forgets);
    if (this.#isUp && this.#process.isAlive) this.#process.host.take(message);
    return answer.then(
      () => true,
      () => false,
    );
  }

  /** Kills the host after so many further messages. */
  killAfter(messages: number): void {
    this.#fuse = messages;
  }

  /** Starts a new host in place of a killed one. `blames`: the formula that ran last ended it. */
  restart(blames: boolean): void {
    this.#process.isAlive = false;
    this.#fuse = Number.POSITIVE_INFINITY;
    if (blames && this.#running !== undefined)
      this.#standing.quarantine(this.#running, {message: 'it ended its process'});
    else this.#standing.handleDeath();
    this.#running = undefined;
    this.#log.rewind({innocent: true});
    this.#process = this.#start(true);
  }

  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 4 && this.#process.isAlive; ) {
      const before = this.#index.sequence;
      await nextTurn();
      const isQuiet =
        this.#isUp && this.#isRestored && this.#log.pending === 0 && before === this.#index.sequence;
      quiet = isQuiet ? quiet + 1 : 0;
    }
  }

  #start(replays: boolean): HostProcess {
    this.#isUp = false;
    const process = new HostProcess(
      message => this.#take(process, message),
      error => this.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    queueMicrotask(() => {
      process.host.take(createStartMessage(this.#settings, this.#index, replays));
      for (const message of this.#standing.standing()) process.host.take(message);
      if (replays) for (const message of replayMessages(this.#log, this.#blocks)) process.host.take(message);
    });
    return process;
  }

  #take(process: HostProcess, message: FromHost): void {
    if (process !== this.#process) return;
    if (this.#fuse-- <= 0) {
      process.isAlive = false;
      return;
    }
    if ('sequence' in message) this.#index.sequence = Math.max(this.#index.sequence, message.sequence);
    switch (message.type) {
      case 'started':
        if (!this.#hasDied) this.#ready();
        return;
      case 'settled':
        if (message.kept !== undefined) this.#index.kept = message.kept;
        this.#blocks.store(unpackBlocks(message.blocks), message.drop);
        this.#blocks.storeRows(message.rows);
        if (message.lives !== undefined) this.#blocks.collectionHistory = message.lives;
        for (const obeyed of message.obeyed ?? []) this.#forget(this.#standing.markObeyed(obeyed));
        this.#log.settle(message.through);
        this.#send();
        return;
      case 'disobeyed':
        this.#standing.markRefused(message.id, message.failure);
        return;
      case 'replayed':
        this.#isRestored = false;
        this.#ready();
        setImmediate(() => {
          if (process === this.#process)
            for (const one of restoreMessages(this.#blocks, this.#index)) process.host.take(one);
        });
        return;
      case 'restored':
        this.#isRestored = true;
        return;
      case 'running':
        this.#running = {name: message.formula, hash: message.hash};
        return;
      case 'broken':
        this.faults.push(message.message);
        return;
      default:
    }
  }

  #forget(obeyed: Command | undefined): void {
    const forgets = obeyed && commandRuleOf(obeyed).forgets;
    if (forgets !== undefined) this.#log.forget(forgets);
  }

  get #hasDied(): boolean {
    return this.#blocks.size > 0;
  }

  #ready(): void {
    this.#isUp = true;
    for (const message of this.#standing.unanswered()) this.#process.host.take(message);
    this.#send();
  }

  #send(): void {
    if (!this.#isUp || !this.#process.isAlive) return;
    const taken = this.#log.take();
    if (taken === undefined) return;
    const {ids, arrivals} = taken;
    this.#process.host.take({type: 'apply', ids, arrivals: JSON.stringify(arrivals)});
  }
}
