// Handles main's commands, one handler for each. link/commands.ts defines their arguments and answers.
import type {Command, CommandAnswer, CommandName} from '../link/commands.ts';
import type {LiveGraph} from './live-graph/live-graph.ts';

export interface CommandTarget {
  readonly live: LiveGraph;
}

type CommandHandlers = {
  [N in CommandName]: (target: CommandTarget, command: Extract<Command, {command: N}>) => CommandAnswer<N>;
};

/** A handler that throws CommandRefused must not have changed anything. */
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
  'put-group': ({live}, {name}) => {
    live.formulaInstaller.putGroup(name);
    return {name};
  },
  'drop-group': ({live}, {name}) => {
    live.formulaInstaller.dropGroup(name);
    return {name};
  },
};

export function executeCommand(target: CommandTarget, command: Command): unknown {
  const handler = handlers[command.command] as (target: CommandTarget, command: Command) => unknown;
  return target.live.changeGraph(() => {
    const value = handler(target, command);
    // A user's collection may have waited for this name.
    target.live.userCollections.settle();
    target.live.moduleInstaller.settle();
    return value;
  });
}
