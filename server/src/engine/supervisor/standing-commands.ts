// The commands that stand: every new engine process is told them again, in an order in which each finds what it needs.
import type {RowError} from '@krtscope/shared/formulas.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {ErrorCode} from '@krtscope/shared/vocabulary.ts';
import {type Command, type Culprit, commandRuleOf} from '../link/commands.ts';
import {EngineFailure} from '../link/engine-link.ts';
import type {FromHost, ToHost} from '../link/host-messages.ts';

interface IssuedCommand {
  readonly id: number;
  command: Command;
  /** Absent once it was obeyed. */
  waiting: {resolve(value: unknown): void; reject(failure: EngineFailure): void} | undefined;
  /** Times that a process died before it answered. */
  deaths: number;
}

/** A process may die of anything once. */
const MAX_DEATHS = 2;

export class StandingCommands {
  #told: IssuedCommand[] = [];
  #ids = 0;

  /** The message to send, and what its answer becomes. A death in between is survived: the next process is told. */
  issue(command: Command): {message: ToHost; answer: Promise<unknown>} {
    this.#ids += 1;
    const id = this.#ids;
    const answer = new Promise((resolve, reject) => {
      this.#told.push({id, command, waiting: {resolve, reject}, deaths: 0});
    });
    return {message: {type: 'command', id, command}, answer};
  }

  /** For a new process: all that stands, then what has no answer yet, as it came. */
  messages(): ToHost[] {
    const obeyed = this.#told.filter(({waiting}) => waiting === undefined);
    const waiting = this.#told.filter(told => told.waiting !== undefined);
    return [...sortByDependency(obeyed), ...waiting].map(({id, command}) => ({type: 'command', id, command}));
  }

  /** The process has died: what it died of twice is not told a third time. */
  handleDeath(): void {
    for (const told of [...this.#told]) {
      if (told.waiting === undefined) continue;
      told.deaths += 1;
      if (told.deaths < MAX_DEATHS) continue;
      this.#remove(told);
      told.waiting.reject(
        new EngineFailure({
          code: 'internal',
          message: `the engine process died of the command ${told.command.command} twice`,
          hint: 'the rest goes on without it',
        }),
      );
    }
  }

  /** The process has died of a formula: from now on it is told without it. */
  quarantine(culprit: Culprit, error: RowError): void {
    for (const told of this.#told)
      told.command = commandRuleOf(told.command).quarantined(culprit, error) ?? told.command;
  }

  failAll(failure: EngineFailure): void {
    for (const {waiting} of this.#told) waiting?.reject(failure);
    this.#told = [];
  }

  /** True if the message was a command's answer. `onFault`: one that stood was refused by a new process. */
  take(message: FromHost, onFault: (command: Command, failure: ApiFailure) => void): boolean {
    if (message.type !== 'obeyed' && message.type !== 'disobeyed') return false;
    const told = this.#told.find(({id}) => id === message.id);
    if (told === undefined) return true;
    const {waiting} = told;
    if (message.type === 'obeyed') {
      if (waiting !== undefined) this.#settle(told);
      waiting?.resolve(JSON.parse(message.value));
    } else if (waiting === undefined) onFault(told.command, message.failure);
    else {
      this.#remove(told);
      const {failure} = message;
      waiting.reject(new EngineFailure({...failure, code: failure.code as ErrorCode}));
    }
    return true;
  }

  /** It has been obeyed: it takes the place of what stood about the same thing. */
  #settle(told: IssuedCommand): void {
    const {about, stands} = commandRuleOf(told.command);
    told.waiting = undefined;
    this.#remove(told);
    const place = this.#told.findIndex(
      other => other.waiting === undefined && commandRuleOf(other.command).about === about,
    );
    if (stands && place >= 0) this.#told[place] = told;
    else if (stands) this.#told.push(told);
    else if (place >= 0) this.#told.splice(place, 1);
  }

  #remove(told: IssuedCommand): void {
    this.#told = this.#told.filter(other => other !== told);
  }
}

/** As they came, but each after what it needs; what needs itself in a circle keeps its place. */
function sortByDependency(told: readonly IssuedCommand[]): IssuedCommand[] {
  const byAbout = new Map(told.map(one => [commandRuleOf(one.command).about, one]));
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
  for (const one of told) visit(one);
  return sorted;
}
