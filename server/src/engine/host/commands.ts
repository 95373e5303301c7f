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
    live.dropSource(name);
    return {name};
  },
};

export function obey(desk: CommandDesk, command: Command): unknown {
  const handler = handlers[command.command] as (desk: CommandDesk, command: Command) => unknown;
  return desk.live.regraph(() => handler(desk, command));
}
