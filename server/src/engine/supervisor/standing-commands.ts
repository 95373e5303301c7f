// The standing commands. Every new engine process gets them again, each after the commands that it needs.
import type {RowError} from '@krtscope/shared/formulas.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {ErrorCode} from '@krtscope/shared/vocabulary.ts';
import {type Command, type Culprit, commandRuleOf} from '../link/commands.ts';
import {EngineFailure} from '../link/engine-link.ts';
import type {FromHost, ToHost} from '../link/host-messages.ts';

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

  /** The messages for a new process: all standing commands, then the unanswered ones, in order. */
  messages(): ToHost[] {
    const obeyed = this.#issued.filter(({waiting}) => waiting === undefined);
    const waiting = this.#issued.filter(issued => issued.waiting !== undefined);
    return [...sortByDependency(obeyed), ...waiting].map(({id, command}) => ({type: 'command', id, command}));
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

  /** A formula has ended the process. Its command is sent without the formula from now on. */
  quarantine(culprit: Culprit, error: RowError): void {
    for (const issued of this.#issued)
      issued.command = commandRuleOf(issued.command).quarantined(culprit, error) ?? issued.command;
  }

  failAll(failure: EngineFailure): void {
    for (const {waiting} of this.#issued) waiting?.reject(failure);
    this.#issued = [];
  }

  /**
   * Returns true if the message answers a command. `onFault` reports a standing command that a new process refused.
   */
  take(message: FromHost, onFault: (command: Command, failure: ApiFailure) => void): boolean {
    if (message.type !== 'obeyed' && message.type !== 'disobeyed') return false;
    const issued = this.#issued.find(({id}) => id === message.id);
    if (issued === undefined) return true;
    const {waiting} = issued;
    if (message.type === 'obeyed') {
      if (waiting !== undefined) this.#settle(issued);
      waiting?.resolve(JSON.parse(message.value));
    } else if (waiting === undefined) onFault(issued.command, message.failure);
    else {
      this.#remove(issued);
      const {failure} = message;
      waiting.reject(new EngineFailure({...failure, code: failure.code as ErrorCode}));
    }
    return true;
  }

  /** The command was obeyed. It replaces the standing one about the same subject. */
  #settle(issued: IssuedCommand): void {
    const {about, stands} = commandRuleOf(issued.command);
    issued.waiting = undefined;
    this.#remove(issued);
    const place = this.#issued.findIndex(
      other => other.waiting === undefined && commandRuleOf(other.command).about === about,
    );
    if (stands && place >= 0) this.#issued[place] = issued;
    else if (stands) this.#issued.push(issued);
    else if (place >= 0) this.#issued.splice(place, 1);
  }

  #remove(issued: IssuedCommand): void {
    this.#issued = this.#issued.filter(other => other !== issued);
  }
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
