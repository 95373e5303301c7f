// What the engine process does when main says so. One entry a command; link/commands.ts has what they carry.
import type {Command, CommandAnswer, CommandName} from '../link/commands.ts';
import type {LiveGraph} from './live.ts';

/** What a command works on. */
export interface CommandDesk {
  readonly live: LiveGraph;
}

type Handlers = {
  [N in CommandName]: (desk: CommandDesk, command: Extract<Command, {command: N}>) => CommandAnswer<N>;
};

/** A handler that throws CommandRefused has changed nothing. */
const handlers: Handlers = {
  'add-source': ({live}, {source}) => {
    live.addSource(source);
    return {name: source.collection};
  },
  'drop-source': ({live}, {name}) => {
    live.kept.refuseIfNamed(name);
    live.dropSource(name);
    return {name};
  },
  'put-formula': ({live}, {formula}) => {
    live.keptFormulas.put(formula);
    return {name: formula.name};
  },
  'drop-formula': ({live}, {name, force}) => {
    live.keptFormulas.drop(name, force);
    return {name};
  },
  'put-module': ({live}, {module}) => live.modules.put(module),
  'drop-module': ({live}, {name}) => {
    live.modules.drop(name);
    return {name};
  },
};

export function obey(desk: CommandDesk, command: Command): unknown {
  const handler = handlers[command.command] as (desk: CommandDesk, command: Command) => unknown;
  return desk.live.regraph(() => {
    const value = handler(desk, command);
    // Somebody may have waited for a collection of that name.
    desk.live.kept.settle();
    desk.live.modules.settle();
    return value;
  });
}
