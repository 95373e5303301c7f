// Maintains the incidents while the graph runs. It checks after batches and once a second, because some incidents
// begin and end with time alone. It writes changed incidents as a batch.
import type {Checks} from '@krtscope/shared/checks.ts';
import type {WritableGraph} from '../live-graph/graph-interface.ts';
import type {QuestionAnswers} from '../query/question-answers.ts';
import type {SliceScheduler} from '../slice-scheduler.ts';
import type {HostHistory} from './host-history.ts';

const SOON = 200;
const TICK = 1000;
/** The checks take at most this share of the time, however large the cluster is. */
const SHARE = 0.05;

export interface IncidentMonitorOptions {
  readonly history: HostHistory;
  readonly graph: WritableGraph;
  readonly answers: QuestionAnswers;
  readonly slices: SliceScheduler;
  /** Tells the views what changed. Called before anything is read. */
  refresh(): void;
  onFault(error: unknown): void;
}

export class IncidentMonitor {
  readonly #options: IncidentMonitorOptions;
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  #busy = false;
  #isHeld = true;
  #dirty = false;
  #checked = 0;
  #notBefore = 0;

  constructor(options: IncidentMonitorOptions) {
    this.#options = options;
    setInterval(() => this.#at(0), TICK).unref();
  }

  /** Starts the checks. Call it when the recording is complete, because the origin of an incident is found there. */
  start(): void {
    this.#isHeld = false;
    this.markChanged();
  }

  /** Call it after each settled batch. */
  markChanged(): void {
    this.#dirty = true;
    this.#at(SOON);
  }

  #at(wait: number): void {
    if (this.#isHeld || this.#busy) return;
    const due = Math.max(performance.now() + wait, this.#notBefore);
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, due - performance.now()));
    this.#timer.unref();
  }

  #look(): void {
    const {answers, slices, history, graph: live, refresh, onFault} = this.#options;
    this.#due = Infinity;
    this.#busy = true;
    this.#dirty = false;
    refresh();
    const seen = history.recording.newest;
    const finish = (took: number): void => {
      this.#busy = false;
      this.#checked = seen;
      this.#notBefore = performance.now() + took / SHARE;
      if (this.#dirty) this.#at(SOON);
    };
    slices.run(
      answers.findingSteps(live.now()),
      (checks, took) => {
        try {
          this.#write(checks, seen);
        } catch (error) {
          onFault(error);
        }
        finish(took);
      },
      error => {
        onFault(error);
        finish(0);
      },
    );
  }

  #write(checks: Checks, seen: number): void {
    const {answers, history, graph: live} = this.#options;
    const moment = {seen, writes: history.recording.newest + 1, at: live.now(), before: this.#checked};
    live.journal.write('incidents', answers.updateIncidents(checks, moment));
  }
}
