// One round of the history fuzzer: a process writes, something goes wrong, and everything on disk is compared with the
// writes.
import {type ChildProcess, execFileSync, fork} from 'node:child_process';
import {cpSync, mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {isDeepStrictEqual} from 'node:util';
import {openForReading} from '../../src/archive/archive-schema.ts';
import {MomentUnreadable, RecordingReader} from '../../src/archive/recording-reader.ts';
import {seededRandom} from '../manual-clock.ts';
import {readMoments} from './disk-moments.ts';
import {stepsAfter, type WriterOptions, type WriterReport} from './writes.ts';

export const faults = ['kill', 'copy', 'damage', 'two', 'clock', 'full'] as const;
export type HistoryFault = (typeof faults)[number];

const HISTORY_RUNS = 40;
/** What a kill may cost. */
const MAX_LOSS_MS = 1000;

interface SettledWrite {
  n: number;
  sequence: number;
  at: number;
}

export interface RoundTotals {
  kills: number;
  moments: number;
  /** Moments that a damaged block made unreadable. */
  unreadable: number;
  /** The age of the oldest write that a kill lost, in milliseconds. */
  worstLossMs: number;
}

export class HistoryRound {
  readonly problems: string[] = [];
  readonly totals: RoundTotals = {kills: 0, moments: 0, unreadable: 0, worstLossMs: 0};
  readonly #seed: number;
  readonly #base: string;
  readonly #random: () => number;
  #folder: string;
  #settled: SettledWrite[] = [];
  #disk: string[] = [];
  #recording = '';
  #done = 0;
  #isDamaged = false;
  #mounted = false;

  constructor(seed: number, folder: string) {
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.#base = folder;
    this.#folder = join(folder, 'history');
  }

  async run(fault: HistoryFault): Promise<void> {
    mkdirSync(this.#folder, {recursive: true});
    try {
      if (fault === 'full') await this.#fill();
      else {
        for (let n = 0; n < 2; n++) await this.#writeAndKill(fault);
      }
      await this.#checkDisk();
      await this.#restart();
    } finally {
      if (this.#mounted) execFileSync('umount', [this.#folder]);
      rmSync(this.#base, {recursive: true, force: true});
    }
  }

  async #writeAndKill(fault: HistoryFault): Promise<void> {
    const child = await this.#start();
    await pause(200 + this.#random() * 1500);
    if (fault === 'two') await this.#startSecond();
    if (fault === 'copy') {
      child.kill('SIGSTOP');
      const copy = `${this.#folder}-copy`;
      cpSync(this.#folder, copy, {recursive: true});
      this.#folder = copy;
    }
    const killed = Date.now();
    await end(child);
    this.totals.kills += 1;
    this.#forgetLost(killed);
    if (this.#recording === '') return;
    if (fault === 'damage') this.#damage();
    if (fault === 'clock') this.#shiftClock();
  }

  /** Writes that are not on disk must be younger than a second. */
  #forgetLost(killed: number): void {
    const newest = this.#newestOnDisk();
    const lost = this.#settled.filter(({sequence}) => sequence > newest);
    this.#settled = this.#settled.filter(({sequence}) => sequence <= newest);
    const age = killed - (lost[0]?.at ?? killed);
    this.totals.worstLossMs = Math.max(this.totals.worstLossMs, age);
    // Without a batch on disk there is nothing to go on with.
    if (newest === 0) this.#recording = '';
    if (age > MAX_LOSS_MS) this.problems.push(`${lost.length} writes are lost, the oldest is ${age} ms old`);
  }

  /** The next process goes on with the same recording and says for how long krtscope was away. */
  async #restart(): Promise<void> {
    const newest = this.#newestOnDisk();
    const child = await this.#start(started => {
      if (this.#settled.length === 0 || this.#isDamaged) return;
      if (started.sequence < newest)
        this.problems.push(`goes on at #${started.sequence}, the disk has #${newest}`);
      if (!started.gaps.some(text => text.startsWith('krtscope was not running')))
        this.problems.push(`no gap after the restart: ${started.gaps.join(' ')}`);
    });
    await end(child);
  }

  async #startSecond(): Promise<void> {
    const second = this.#fork();
    const started = await reported(second, 'started');
    if (started.isWriter) this.problems.push('two processes write one recording');
    await end(second);
  }

  async #start(
    check: (started: Extract<WriterReport, {type: 'started'}>) => void = () => {},
  ): Promise<ChildProcess> {
    const child = this.#fork();
    child.on('message', (message: WriterReport) => {
      if (message.type === 'disk') this.#disk.push(`${message.state} ${message.reason ?? ''}`.trim());
      if (message.type !== 'settled') return;
      this.#settled.push({n: message.n, sequence: message.sequence, at: Date.now()});
      this.#done = message.n;
    });
    const started = await reported(child, 'started');
    if (this.#recording !== '' && started.recording !== this.#recording && !this.#isDamaged)
      this.problems.push('the restart began another recording');
    if (started.recording !== this.#recording) this.#settled = [];
    this.#recording = started.recording;
    check(started);
    return child;
  }

  #fork(): ChildProcess {
    const options: WriterOptions = {
      folder: this.#folder,
      seed: this.#seed,
      done: this.#done,
      historyRuns: HISTORY_RUNS,
    };
    return fork(new URL('writer-process.ts', import.meta.url), [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  /** A disk that becomes full and later has room again: nothing is lost, and the session says so. */
  async #fill(): Promise<void> {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'krtscope-fuzz', this.#folder]);
    this.#mounted = true;
    const child = await this.#start();
    await until(() => this.#disk.some(text => text.startsWith('failing')));
    if (!this.#disk.includes('failing the disk is full'))
      this.problems.push(`states: ${this.#disk.join(', ')}`);
    await pause(300 + this.#random() * 500);
    execFileSync('mount', ['-o', 'remount,size=64m', this.#folder]);
    await until(() => this.#disk.at(-1) === 'writing');
    const newest = this.#settled.at(-1)?.sequence ?? 0;
    await until(() => this.#newestOnDisk() >= newest);
    const killed = Date.now();
    await end(child);
    this.totals.kills += 1;
    this.#forgetLost(killed);
  }

  /** Overwrites some bytes of a block, as a bad sector does. */
  #damage(): void {
    const db = new DatabaseSync(this.#file);
    const rows = db.prepare('SELECT first FROM chunks ORDER BY first').all();
    const first = rows[Math.floor(this.#random() * rows.length)]?.first ?? 0;
    db.prepare('UPDATE chunks SET frames = zeroblob(length(frames)) WHERE first = ?').run(first);
    db.close();
    this.#isDamaged = true;
  }

  /** As if the clock had been wrong by hours until now. */
  #shiftClock(): void {
    const hours = Math.floor(this.#random() * 200) - 100;
    const db = new DatabaseSync(this.#file);
    db.prepare('UPDATE chunks SET at = at + ?').run(hours * 3_600_000);
    // Keys must stay unique while they move.
    const seconds = db.prepare('SELECT * FROM seconds').all() as {second: number}[];
    db.exec('DELETE FROM seconds');
    for (const row of seconds)
      db.prepare('INSERT INTO seconds VALUES (?, ?, ?, ?, ?, ?, ?)').run(
        ...(Object.values({...row, second: row.second + hours * 3600}) as number[]),
      );
    db.close();
  }

  async #checkDisk(): Promise<void> {
    if (this.#recording === '') return;
    const readable = this.#read(reader => reader.range()?.readable) ?? -1;
    const wanted = this.#settled.filter(({sequence}) => sequence <= readable);
    const found = await readMoments(
      at => this.#read(reader => reader.fileAt(at)),
      wanted.map(({sequence}) => sequence),
    );
    for (const {n, sequence} of wanted) {
      const steps = found.get(sequence);
      this.totals.moments += 1;
      if (steps instanceof MomentUnreadable && this.#isDamaged) this.totals.unreadable += 1;
      else if (!isDeepStrictEqual(steps, stepsAfter(this.#seed, n)))
        this.problems.push(
          `#${sequence} (write ${n}) is ${String(steps instanceof Error ? steps : JSON.stringify(steps))}`,
        );
    }
  }

  #newestOnDisk(): number {
    if (this.#recording === '') return 0;
    return this.#read(reader => reader.range()?.newest.sequence) ?? 0;
  }

  #read<T>(work: (reader: RecordingReader) => T): T {
    const db = openForReading(this.#file);
    try {
      return work(new RecordingReader(db));
    } finally {
      db.close();
    }
  }

  get #file(): string {
    return join(this.#folder, `${encodeURIComponent(this.#recording)}.db`);
  }
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

async function until(isDone: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isDone()) {
    if (Date.now() > end) throw new Error(`waited too long: ${isDone}`);
    await pause(20);
  }
}

function reported<T extends WriterReport['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<WriterReport, {type: T}>> {
  return new Promise((resolve, reject) => {
    child.on('exit', code => reject(new Error(`the writing process ended with ${code}`)));
    child.on('message', (message: WriterReport) => {
      if (message.type === type) resolve(message as Extract<WriterReport, {type: T}>);
    });
  });
}

/** Resolves when the process has ended and its last messages have arrived, which may be after its exit. */
async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise<void>(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  const drained = new Promise<void>(resolve => {
    if (child.connected) child.once('disconnect', () => resolve());
    else resolve();
  });
  child.kill('SIGKILL');
  await Promise.all([exited, drained]);
}
