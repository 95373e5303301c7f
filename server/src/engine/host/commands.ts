// What the engine process does when main says so. One entry a command; link/commands.ts has what they carry.
import type {Command, CommandAnswer, CommandName} from '../link/commands.ts';
import type {LiveGraph} from './live-graph/live-graph.ts';

/** What a command works on. */
export interface CommandTarget {
  readonly live: LiveGraph;
}

type CommandHandlers = {
  [N in CommandName]: (desk: CommandTarget, command: Extract<Command, {command: N}>) => CommandAnswer<N>;
};

/** A handler that throws CommandRefused has changed nothing. */
const handlers: CommandHandlers = {
  'add-source': ({live}, {source}) => {
    live.addSource(source);
    return {name: source.collection};
  },
  'drop-source': ({live}, {name}) => {
    live.userCollections.refuseIfNamed(name);
    live.dropSource(name);
    return {name};
  },
  'put-formula': ({live}, {formula}) => {
    live.formulaInstaller.put(formula);
    return {name: formula.name};
  },
  'drop-formula': ({live}, {name, force}) => {
    live.formulaInstaller.drop(name, force);
    return {name};
  },
  'put-module': ({live}, {module}) => live.moduleInstaller.put(module),
  'drop-module': ({live}, {name}) => {
    live.moduleInstaller.drop(name);
    return {name};
  },
};

export function executeCommand(desk: CommandTarget, command: Command): unknown {
  const handler = handlers[command.command] as (desk: CommandTarget, command: Command) => unknown;
  return desk.live.changeGraph(() => {
    const value = handler(desk, command);
    // Somebody may have waited for a collection of that name.
    desk.live.userCollections.settle();
    desk.live.moduleInstaller.settle();
    return value;
  });
}
