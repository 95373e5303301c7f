// The standing commands. Every new engine process gets them again, each after the commands that it needs.
import type {RowError} from '@krtscope/shared/formulas.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {ErrorCode} from '@krtscope/shared/vocabulary.ts';
import {type Command, type Culprit, commandRuleOf} from '../link/commands.ts';
import {EngineFailure} from '../link/engine-link.ts';
import type {ObeyedCommand, ToHost} from '../link/host-messages.ts';

interface IssuedCommand {
  readonly id: number;
  command: Command;
  /** Undefined once it was obeyed. */
  waiting: {resolve(value: unknown): void; reject(failure: EngineFailure): void} | undefined;
  /** The number of processes that died before they answered. */
  deaths: number;
}

/** One death may be chance. */
const MAX_DEATHS = 2;

export class StandingCommands {
  #issued: IssuedCommand[] = [];
  #ids = 0;

  /**
   * Returns the message to send and the promise of its answer. If the process dies in between, the next one gets the
   * command.
   */
  issue(command: Command): {message: ToHost; answer: Promise<unknown>} {
    this.#ids += 1;
    const id = this.#ids;
    const answer = new Promise((resolve, reject) => {
      this.#issued.push({id, command, waiting: {resolve, reject}, deaths: 0});
    });
    return {message: {type: 'command', id, command}, answer};
  }

  /** The standing commands, for a new process before its replay: they made the state that the recording ends with. */
  standing(): ToHost[] {
    const obeyed = sortByDependency(this.#issued.filter(({waiting}) => waiting === undefined));
    // Modules come last: an earlier text must find what it reads, or the newer one after it takes its place.
    const isModule = ({command}: IssuedCommand) => command.command === 'put-module';
    return [...obeyed.filter(one => !isModule(one)), ...obeyed.filter(isModule)].map(toMessage);
  }

  /** The commands that no process has obeyed yet, in order. A new process gets them after its replay. */
  unanswered(): ToHost[] {
    return this.#issued.filter(({waiting}) => waiting !== undefined).map(toMessage);
  }

  /** The process has died. A command that was unanswered at two deaths is not sent a third time. */
  handleDeath(): void {
    for (const issued of [...this.#issued]) {
      if (issued.waiting === undefined) continue;
      issued.deaths += 1;
      if (issued.deaths < MAX_DEATHS) continue;
      this.#remove(issued);
      issued.waiting.reject(
        new EngineFailure({
          code: 'internal',
          message: `the command ${issued.command.command} crashed the engine process twice`,
          hint: 'krtscope continues without it',
        }),
      );
    }
  }

  /**
   * A formula has ended a process. Its command is sent without the formula from now on. Returns the messages that tell
   * an engine process that still runs.
   */
  quarantine(culprit: Culprit, error: RowError): ToHost[] {
    return this.#changeAll(command => commandRuleOf(command).quarantined(culprit, error));
  }

  /** The formula has a process of its own, also in every later engine process. */
  markSlow({hash}: Pick<Culprit, 'hash'>): void {
    this.#changeAll(command =>
      command.command === 'put-formula' && command.formula.hash === hash
        ? {...command, formula: {...command.formula, lane: 'slow'}}
        : undefined,
    );
  }

  #changeAll(change: (command: Command) => Command | undefined): ToHost[] {
    return this.#issued.flatMap(issued => {
      const changed = change(issued.command);
      if (changed === undefined) return [];
      issued.command = changed;
      return issued.waiting === undefined ? [toMessage(issued)] : [];
    });
  }

  failAll(failure: EngineFailure): void {
    for (const {waiting} of this.#issued) waiting?.reject(failure);
    this.#issued = [];
  }

  /** Takes the answer of a command, and returns the command if this is its first answer. */
  markObeyed({id, value}: ObeyedCommand): Command | undefined {
    const issued = this.#issued.find(one => one.id === id);
    const waiting = issued?.waiting;
    if (issued === undefined || waiting === undefined) return undefined;
    const answer = JSON.parse(value) as {trouble?: unknown; runs?: string; collections?: string[]};
    const isBuilt = answer.trouble === undefined || carriesTrouble(issued.command);
    this.#settle(issued, isBuilt ? undefined : answer.runs);
    if (isBuilt && issued.command.command === 'put-module')
      issued.command.module = {...issued.command.module, collections: answer.collections};
    waiting.resolve(answer);
    return issued.command;
  }

  /** Takes the refusal of a command, and returns the command if it is a standing one. */
  markRefused(id: number, failure: ApiFailure): Command | undefined {
    const issued = this.#issued.find(one => one.id === id);
    if (issued === undefined) return undefined;
    if (issued.waiting === undefined) return issued.command;
    this.#remove(issued);
    issued.waiting.reject(new EngineFailure({...failure, code: failure.code as ErrorCode}));
    return undefined;
  }

  /**
   * The command was obeyed. It replaces the standing ones about the same subject. A module that could not be built left
   * an earlier build running. That one stays; texts in between never ran, and must not run after a restart.
   */
  #settle(issued: IssuedCommand, runningBuild: string | undefined): void {
    const {about, stands} = commandRuleOf(issued.command);
    issued.waiting = undefined;
    this.#remove(issued);
    const isSame = (other: IssuedCommand) =>
      other.waiting === undefined && commandRuleOf(other.command).about === about;
    const place = this.#issued.findIndex(isSame);
    const runs = ({command}: IssuedCommand) =>
      command.command === 'put-module' && command.module.hash === runningBuild;
    const earlier = this.#issued.filter(one => stands && isSame(one) && runs(one)).slice(-1);
    const standing = this.#issued.filter(other => !isSame(other));
    const kept = stands ? [...earlier, issued] : [];
    standing.splice(place < 0 ? standing.length : place, 0, ...kept);
    this.#issued = standing;
  }

  #remove(issued: IssuedCommand): void {
    this.#issued = this.#issued.filter(other => other !== issued);
  }
}

/** A module that comes with its trouble is the build that runs. */
function carriesTrouble(command: Command): boolean {
  return command.command === 'put-module' && command.module.trouble !== undefined;
}

function toMessage({id, command}: IssuedCommand): ToHost {
  return {type: 'command', id, command};
}

/** Keeps the order, but puts each after the commands that it needs. Commands in a cycle keep their place. */
function sortByDependency(issued: readonly IssuedCommand[]): IssuedCommand[] {
  const byAbout = new Map(issued.map(one => [commandRuleOf(one.command).about, one]));
  const done = new Set<IssuedCommand>();
  const visit = (one: IssuedCommand): void => {
    if (done.has(one)) return;
    done.add(one);
    for (const about of commandRuleOf(one.command).after) {
      const needed = byAbout.get(about);
      if (needed !== undefined) visit(needed);
    }
    sorted.push(one);
  };
  const sorted: IssuedCommand[] = [];
  for (const one of issued) visit(one);
  return sorted;
}
