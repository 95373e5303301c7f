// The processes of slow formulas, as main sees them. Main passes messages between them and the engine process, ends a
// formula that does not come to an end, and starts a process again that died for another reason.
import type {ChildProcess} from 'node:child_process';
import type {Culprit, InstallableFormula} from '../link/commands.ts';
import type {
  FromSlowProcess,
  SlowLaneEvent,
  SlowLaneRequest,
  ToSlowProcess,
} from '../link/slow-lane-messages.ts';
import {forkHost, slowEntry} from './fork.ts';
import {RunningFormulaMonitor} from './running-formula.ts';
import {sendTo} from './send-to.ts';

const MEMORY_MB = 1024;
/** A process that dies so often without a running formula is not started again. */
const MAX_LOSSES = 3;

interface SlowProcessesOptions {
  /** Tells the engine process. */
  send(event: SlowLaneEvent): void;
  /** The formula has ended its process. */
  onCulprit(culprit: Culprit, reason: string): void;
}

interface SlowProcess {
  readonly child: ChildProcess;
  readonly culprit: Culprit;
  readonly running: RunningFormulaMonitor;
  reason: string | undefined;
}

export class SlowProcesses {
  readonly #options: SlowProcessesOptions;
  readonly #byLane = new Map<number, SlowProcess>();
  readonly #losses = new Map<string, number>();

  constructor(options: SlowProcessesOptions) {
    this.#options = options;
  }

  /** The processes, for tests. */
  get pids(): number[] {
    return [...this.#byLane.values()].flatMap(({child}) => child.pid ?? []);
  }

  take(request: SlowLaneRequest): void {
    if (request.type === 'slow-open') this.#open(request.lane, request.formula);
    else if (request.type === 'slow-close') this.#close(request.lane);
    else this.#send(request.lane, request.message);
  }

  /** The engine process has ended. The next one opens its own lanes. */
  closeAll(): void {
    for (const lane of [...this.#byLane.keys()]) this.#close(lane);
  }

  #open(lane: number, formula: InstallableFormula): void {
    this.#close(lane);
    const child = forkHost({memoryMb: MEMORY_MB, entry: slowEntry});
    const {name, hash} = formula;
    const kill = (reason: string) => {
      own.reason = reason;
      child.kill('SIGKILL');
    };
    const running = new RunningFormulaMonitor(
      () => child.pid ?? 0,
      () => kill(`the formula ${name} did not come to an end within a second`),
    );
    const own: SlowProcess = {child, culprit: {name, hash}, running, reason: undefined};
    this.#byLane.set(lane, own);
    child.on('message', message => {
      if (this.#byLane.get(lane) === own) this.#take(lane, own, message as FromSlowProcess);
    });
    child.on('error', ({message}) => {
      own.reason ??= message;
      if (child.pid === undefined) this.#lost(lane, own, message);
    });
    child.on('exit', (code, signal) => this.#lost(lane, own, exitReasonOf(code, signal)));
    child.stderr?.resume();
    this.#send(lane, {type: 'formula', formula});
  }

  #take(lane: number, {running}: SlowProcess, message: FromSlowProcess): void {
    switch (message.type) {
      case 'running':
        running.note({name: message.formula, hash: message.hash});
        return;
      case 'rested':
        running.rest();
        return;
      case 'progress':
        this.#options.send({type: 'slow-progress', lane, runs: message.runs});
        return;
      case 'report': {
        const {type: _type, ...report} = message;
        this.#options.send({type: 'slow-report', lane, ...report});
      }
    }
  }

  #lost(lane: number, own: SlowProcess, reason: string): void {
    const culprit = own.running.take();
    if (this.#byLane.get(lane) !== own) return;
    this.#byLane.delete(lane);
    const {hash} = own.culprit;
    const losses = (this.#losses.get(hash) ?? 0) + 1;
    this.#losses.set(hash, losses);
    if (culprit !== undefined || losses >= MAX_LOSSES)
      this.#options.onCulprit(own.culprit, own.reason ?? reason);
    else this.#options.send({type: 'slow-lost', lane});
  }

  #close(lane: number): void {
    const own = this.#byLane.get(lane);
    if (own === undefined) return;
    this.#byLane.delete(lane);
    own.running.stop();
    own.child.kill('SIGKILL');
  }

  #send(lane: number, message: ToSlowProcess): void {
    const own = this.#byLane.get(lane);
    if (own !== undefined) sendTo(own.child, message);
  }
}

/** V8 aborts a process that exceeds its heap limit. */
function exitReasonOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL')
    return `the formula ran out of memory (limit ${MEMORY_MB} MB) and was stopped`;
  return `its process ended (${signal ?? `exit code ${code}`})`;
}
