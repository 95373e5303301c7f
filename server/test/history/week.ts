// Eight days in minutes: a real host on a clock that is moved, its batches written to disk with limits of days and size,
// and random moments compared with the writes.
import {setImmediate as nextTurn} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import {shippedSources} from '@krtscope/shared/sources.ts';
import {OpenRecordings} from '../../src/archive/open-recordings.ts';
import {enforceLimits} from '../../src/archive/retention.ts';
import {factsFor} from '../../src/archive/testing-recording.ts';
import {Host} from '../../src/engine/host/host.ts';
import {unpackBlocks} from '../../src/engine/link/block-packing.ts';
import type {FromHost} from '../../src/engine/link/host-messages.ts';
import {RecordingBlocks} from '../../src/engine/supervisor/recording/recording-blocks.ts';
import {RecordingIndex} from '../../src/engine/supervisor/recording/recording-index.ts';
import {createStartMessage} from '../../src/engine/supervisor/start-messages.ts';
import {seededRandom} from '../manual-clock.ts';
import {changeOf} from './archived-engine.ts';
import {readMoments} from './disk-moments.ts';

const RECORDING = 'week';
const DAYS = 7;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const KEYS = 150;
const RUNS_BETWEEN_SNAPSHOTS = 1000;

const settings = {
  name: RECORDING,
  recording: RECORDING,
  memoryMb: 512,
  historyRuns: 2000,
  historyMb: 16,
  redacted: true,
  sources: Object.entries(shippedSources).map(([collection, resource]) => ({collection, resource})),
};

export interface WeekResult {
  batches: number;
  /** Heap in megabytes after each day. */
  heap: number[];
  /** Megabytes on disk after each day. */
  disk: number[];
  keptDays: number;
  moments: number;
  problems: string[];
}

export class HistoryWeek {
  readonly #random: () => number;
  readonly #recordings: OpenRecordings;
  readonly #limitBytes: number;
  readonly #index = new RecordingIndex(settings);
  readonly #blocks = new RecordingBlocks();
  readonly #host: Host;
  /** Every write with the batch that it became. */
  readonly #writes: {sequence: number; key: string; step: string | undefined}[] = [];
  readonly #problems: string[] = [];
  #runs = 0;
  #settled = 0;
  #exported: ((bytes: Uint8Array) => void) | undefined;
  #now = Date.now();

  constructor(folder: string, {seed = 1, limitBytes = 2 ** 30}: {seed?: number; limitBytes?: number} = {}) {
    this.#random = seededRandom(seed);
    this.#limitBytes = limitBytes;
    this.#recordings = new OpenRecordings(folder, () => {});
    this.#recordings.begin(factsFor(RECORDING));
    Date.now = () => this.#now;
    this.#host = new Host(
      message => this.#take(structuredClone(message)),
      error => this.#problems.push(String(error)),
    );
    this.#host.take(createStartMessage(settings, this.#index, false));
  }

  async run(days: number): Promise<WeekResult> {
    const result: WeekResult = {
      batches: 0,
      heap: [],
      disk: [],
      keptDays: 0,
      moments: 0,
      problems: this.#problems,
    };
    let id = 0;
    for (const source of Object.keys(shippedSources)) {
      id += 1;
      const arrivals = JSON.stringify([{source, report: {state: 'synced', synced: true}}]);
      this.#host.take({type: 'apply', ids: [id], arrivals});
    }
    await this.#until(id);
    for (let minute = 1; minute <= days * DAY_MINUTES; minute++) {
      this.#now += MINUTE_MS;
      id += 1;
      const key = `shop/s${Math.floor(this.#random() * KEYS)}`;
      const step = this.#random() < 0.1 ? undefined : `m${minute}`;
      this.#host.take({
        type: 'apply',
        ids: [id],
        arrivals: JSON.stringify([{changes: [changeOf({key, step})]}]),
      });
      await this.#until(id);
      this.#writes.push({sequence: this.#index.sequence, key, step});
      result.batches += 1;
      if (this.#runs >= RUNS_BETWEEN_SNAPSHOTS) await this.#snapshot();
      if (minute % 60 === 0) enforceLimits(this.#recordings, this.#limits, this.#now);
      if (minute % DAY_MINUTES > 0) continue;
      globalThis.gc?.();
      result.heap.push(process.memoryUsage().heapUsed / 1e6);
      result.disk.push((this.#recordings.list()[0]?.bytes ?? 0) / 1e6);
    }
    await this.#snapshot();
    const {oldest} = this.#recordings.list()[0] ?? {};
    result.keptDays = (this.#now - (oldest?.time ?? this.#now)) / (DAY_MINUTES * MINUTE_MS);
    result.moments = await this.#compare(oldest?.sequence ?? 0, 100);
    this.#recordings.end(RECORDING);
    return result;
  }

  get #limits() {
    return {days: DAYS, bytes: this.#limitBytes};
  }

  async #compare(oldest: number, count: number): Promise<number> {
    const readable = this.#writes.filter(({sequence}) => sequence >= oldest);
    const picked = Array.from({length: count}, () => readable[Math.floor(this.#random() * readable.length)])
      .filter(one => one !== undefined)
      .map(({sequence}) => sequence)
      .sort((a, b) => a - b);
    const found = await readMoments(
      at => this.#recordings.read(RECORDING, reader => reader.fileAt(at)),
      picked,
    );
    for (const [at, steps] of found)
      if (!isDeepStrictEqual(steps, this.#stepsAt(at)))
        this.#problems.push(`#${at} is ${JSON.stringify(steps)}`);
    return found.size;
  }

  #stepsAt(at: number): Record<string, string> {
    const steps: Record<string, string> = {};
    for (const {sequence, key, step} of this.#writes) {
      if (sequence > at) break;
      if (step === undefined) delete steps[key];
      else steps[key] = step;
    }
    return Object.fromEntries(Object.entries(steps).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #take(message: FromHost): void {
    if ('sequence' in message) this.#index.sequence = Math.max(this.#index.sequence, message.sequence);
    if (message.type === 'exported') this.#exported?.(message.bytes);
    if (message.type === 'broken') this.#problems.push(message.message);
    if (message.type !== 'settled') return;
    for (const [, , changed, equal, failed] of message.tallies) this.#runs += changed + equal + failed;
    this.#blocks.store(unpackBlocks(message.blocks), message.drop);
    this.#blocks.storeRows(message.rows);
    if (message.lives !== undefined) this.#blocks.collectionHistory = message.lives;
    const batches = {...message, rows: message.rows ?? []};
    this.#recordings.writer(RECORDING)?.writer.append([{type: 'settled', batches}]);
    this.#settled = message.through;
  }

  async #snapshot(): Promise<void> {
    this.#runs = 0;
    const olderBlocks = this.#blocks.all();
    const file = await new Promise<Uint8Array>(resolve => {
      this.#exported = resolve;
      this.#host.take({type: 'snapshot', id: 1, session: {name: RECORDING}});
    });
    const {rows, collectionHistory: lives} = this.#blocks;
    this.#recordings
      .writer(RECORDING)
      ?.writer.snapshot({file, olderBlocks, rows, lives, reports: []}, this.#now);
  }

  async #until(id: number): Promise<void> {
    for (let turns = 0; this.#settled < id; turns++) {
      if (turns > 100_000) throw new Error(`batch ${id} does not settle`);
      await nextTurn();
    }
  }
}
