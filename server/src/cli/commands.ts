// The commands that ask a running instance. Each is loaded when it is used: a terminal should answer at once.
import type {CommandEnvironment, CommandFlags, CommandTable} from './command.ts';
import {findCommandWord, parseCommandLine} from './command-line.ts';
import {commonFlags} from './common-flags.ts';

export const commands: CommandTable = {
  get: {
    summary: 'list rows of a collection, as kubectl get does',
    load: async () => (await import('./get/get-command.ts')).getCommand,
  },
  why: {
    summary: 'why a row has its value',
    load: async () => (await import('./why-commands.ts')).whyCommand,
  },
  'why-not': {
    summary: 'why a row did not react to an object',
    load: async () => (await import('./why-commands.ts')).whyNotCommand,
  },
  origin: {
    summary: 'which write caused it, step by step',
    load: async () => (await import('./why-commands.ts')).originCommand,
  },
  incidents: {
    summary: 'what is wrong, grouped by the write that caused it',
    load: async () => (await import('./finding-commands.ts')).incidentsCommand,
  },
  checks: {
    summary: 'problems and waste that were found',
    load: async () => (await import('./finding-commands.ts')).checksCommand,
  },
  search: {
    summary: 'find rows by name, label or value',
    load: async () => (await import('./finding-commands.ts')).searchCommand,
  },
  diff: {
    summary: 'what changed between two moments',
    load: async () => (await import('./diff-command.ts')).diffCommand,
  },
  graph: {
    summary: 'the graph of collections, as a diagram',
    load: async () => (await import('./session-commands.ts')).graphCommand,
  },
  sessions: {
    summary: 'the sessions of the instance, and whether each is current',
    load: async () => (await import('./session-commands.ts')).sessionsCommand,
  },
  record: {
    summary: 'save a stretch of the recording to a file',
    load: async () => (await import('./record-command.ts')).recordCommand,
  },
  wait: {
    summary: 'wait until an incident ends or a row is there',
    load: async () => (await import('./wait-command.ts')).waitCommand,
  },
  'what-if': {
    summary: 'what a change would do to everything computed from it',
    load: async () => (await import('./what-if-command.ts')).whatIfCommand,
  },
  attach: {
    summary: 'show another krt program, such as istiod',
    load: async () => (await import('./session-commands.ts')).attachCommand,
  },
  redact: {
    summary: 'what of a manifest krtscope would hide; asks no instance',
    load: async () => (await import('./redaction/redact-command.ts')).redactCommand,
  },
  completion: {
    summary: 'print the completion script of a shell',
    load: async () => (await import('./completion/completion-command.ts')).completionCommand,
  },
  items: {
    summary: 'another name of get; shows 100 rows',
    load: async () => (await import('./get/get-command.ts')).itemsCommand,
  },
};

/**
 * The flags that may precede a command. Their values are not commands: `krtscope --namespace redact` starts a server.
 * As with kubectl, flags of commands may come first, too.
 */
async function leadingFlags([first = '']: readonly string[]): Promise<CommandFlags> {
  if (!first.startsWith('-')) return commonFlags;
  const [{flags}, {getCommand}] = await Promise.all([import('../flags.ts'), import('./get/get-command.ts')]);
  const ofServer = flags
    .filter(({type}) => type !== 'boolean')
    .map(({name, help}) => [name, {type: 'string', help}] as const);
  return {...Object.fromEntries(ofServer), ...getCommand.flags, ...commonFlags};
}

/** Runs the command in these arguments, or returns false if there is none. Its flags may also precede it. */
export async function runCommand(args: string[], env: CommandEnvironment): Promise<boolean> {
  const at = findCommandWord(args, await leadingFlags(args));
  const name = args[at] ?? '';
  if (name === '__complete') {
    const {printCompletions} = await import('./completion/complete-words.ts');
    await printCompletions(commands, args.slice(at + 1), env);
    return true;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) return false;
  const command = await entry.load();
  const rest = args.toSpliced(at, 1);
  if (rest.includes('--help') || rest.includes('-h')) {
    const {commandHelp} = await import('./command-help.ts');
    process.stdout.write(commandHelp(name, entry.summary, command));
    return true;
  }
  await command.run(parseCommandLine(name, rest, command.flags), env);
  return true;
}
