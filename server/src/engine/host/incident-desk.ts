// Keeps the book of incidents while the graph runs: the checks are made after batches and, because patience and quiet
// end without any, once a second; what they change in the book is written as a batch.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Answers} from './query/answers.ts';
import type {Slices} from './slices.ts';
import type {Books, FedWorld} from './world.ts';

const SOON = 200;
const TICK = 1000;
/** At most this share of the time goes into it, however large the cluster is. */
const SHARE = 0.05;

export interface IncidentDeskOptions {
  readonly books: Books;
  readonly live: FedWorld;
  readonly answers: Answers;
  readonly slices: Slices;
  /** Before anything is read: the views are told what changed. */
  refresh(): void;
  onFault(error: unknown): void;
}

export class IncidentDesk {
  readonly #options: IncidentDeskOptions;
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  #busy = false;
  #held = true;
  #dirty = false;
  #checked = 0;
  #notBefore = 0;

  constructor(options: IncidentDeskOptions) {
    this.#options = options;
    setInterval(() => this.#at(0), TICK).unref();
  }

  /** From here on, and not before the records are whole: an origin is found in them. */
  open(): void {
    this.#held = false;
    this.touch();
  }

  /** After a settled batch. */
  touch(): void {
    this.#dirty = true;
    this.#at(SOON);
  }

  #at(wait: number): void {
    if (this.#held || this.#busy) return;
    const due = Math.max(performance.now() + wait, this.#notBefore);
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, due - performance.now()));
    this.#timer.unref();
  }

  #look(): void {
    const {answers, slices, books, live, refresh, onFault} = this.#options;
    this.#due = Infinity;
    this.#busy = true;
    this.#dirty = false;
    refresh();
    const seen = books.recording.newest;
    const over = (took: number): void => {
      this.#busy = false;
      this.#checked = seen;
      this.#notBefore = performance.now() + took / SHARE;
      if (this.#dirty) this.#at(SOON);
    };
    slices.run(
      answers.findings(live.now()),
      (checks, took) => {
        try {
          this.#write(checks, seen);
        } catch (error) {
          onFault(error);
        }
        over(took);
      },
      error => {
        onFault(error);
        over(0);
      },
    );
  }

  #write(checks: Checks, seen: number): void {
    const {answers, books, live} = this.#options;
    const moment = {seen, writes: books.recording.newest + 1, at: live.now(), before: this.#checked};
    live.journal.write('incidents', answers.book(checks, moment));
  }
}
