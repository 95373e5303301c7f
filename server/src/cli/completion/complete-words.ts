// The candidates for the last word of a command line. Names come from the running instance.
import type {CommandEnvironment, CommandFlag, CommandTable, TerminalCommand} from '../command.ts';
import {CommandLine, findCommandWord, findValueFlag} from '../command-line.ts';
import {commonFlags} from '../common-flags.ts';
import {findShipped} from '../get/find-collection.ts';
import {findByWord, type NamedCollection} from '../get/kubectl-names.ts';
import {fetchFromInstance} from '../instance-client.ts';
import {targetOf} from '../print-answer.ts';
import {shells} from './completion-command.ts';

interface Candidate {
  word: string;
  about?: string;
}

const MOST = 200;
/** A shell that waits longer than this seems to hang. */
const LIMIT_MS = 2000;

/** Commands that main.ts runs itself. */
const otherCommands = {
  open: 'show a recording (.krtrec), without a cluster',
  init: 'create an operator project',
  crd: 'print the CRD of formulas.krtscope.dev',
  node: 'run a program with krtscope’s Node 26',
};

/** Prints one candidate a line. Prints nothing if the instance does not answer. */
export async function printCompletions(
  commands: CommandTable,
  words: readonly string[],
  env: CommandEnvironment,
): Promise<void> {
  setTimeout(() => process.exit(0), LIMIT_MS).unref();
  // kubectl expects a last line that says how to go on: 4 means without names of files.
  const isKubectl = words[0] === '--kubectl';
  const typed = isKubectl ? words.slice(1) : words;
  const partial = typed.at(-1) ?? '';
  const found = await candidatesFor(commands, typed, env);
  const fitting = found.filter(({word}) => word.startsWith(partial)).slice(0, MOST);
  process.stdout.write(
    fitting.map(({word, about}) => `${word}${about === undefined ? '' : `\t${about}`}\n`).join(''),
  );
  if (isKubectl) process.stdout.write(':4\n');
}

async function candidatesFor(
  commands: CommandTable,
  words: readonly string[],
  env: CommandEnvironment,
): Promise<Candidate[]> {
  const before = words.slice(0, -1);
  const partial = words.at(-1) ?? '';
  const at = findCommandWord(before, commonFlags);
  const name = before[at];
  if (name === undefined)
    return partial.startsWith('-') ? flagCandidates(commonFlags) : commandCandidates(commands);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) return [];
  const command = await entry.load();
  const given = before.toSpliced(at, 1);
  const {line, open} = readWords(given, command);
  const ask = createAsk(line, env);
  const [, flag, value] = /^--([\w-]+)=(.*)$/s.exec(partial) ?? [];
  if (flag !== undefined && value !== undefined && command.flags[flag] !== undefined) {
    const values = await valueCandidates(flag, command.flags[flag], value, ask);
    return values.map(one => ({...one, word: `--${flag}=${one.word}`}));
  }
  if (open !== undefined) return valueCandidates(open, command.flags[open] as CommandFlag, partial, ask);
  if (partial.startsWith('-')) return flagCandidates(command.flags);
  return wordCandidates(command, line, partial, ask);
}

type Ask = (path: string, query?: Record<string, string | undefined>) => Promise<unknown>;

/** Errors answer undefined: a completion never fails aloud. */
function createAsk(line: CommandLine, env: CommandEnvironment): Ask {
  return async (path, query = {}) => {
    try {
      return await fetchFromInstance(targetOf(line, env), path, query);
    } catch {
      return undefined;
    }
  };
}

/** Reads flags loosely, because the command line is unfinished. `open` is a flag that still lacks its value. */
function readWords(
  given: readonly string[],
  {flags}: TerminalCommand,
): {line: CommandLine; open: string | undefined} {
  const values: Record<string, unknown> = {};
  const words: string[] = [];
  let open: string | undefined;
  for (const word of given) {
    if (open !== undefined) {
      values[open] = word;
      open = undefined;
      continue;
    }
    const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) values[name] = value;
    else if (word.startsWith('-')) open = findValueFlag(word, flags);
    else words.push(word);
  }
  return {line: new CommandLine(words, values), open};
}

const commandCandidates = (commands: CommandTable): Candidate[] => [
  ...Object.entries(commands).map(([word, {summary}]) => ({word, about: summary})),
  ...Object.entries(otherCommands).map(([word, about]) => ({word, about})),
];

const flagCandidates = (flags: TerminalCommand['flags']): Candidate[] =>
  Object.entries(flags).map(([name, {help}]) => ({word: `--${name}`, about: help}));

async function valueCandidates(
  name: string,
  flag: CommandFlag,
  partial: string,
  ask: Ask,
): Promise<Candidate[]> {
  if (name === 'for' && /^row(-gone)?=/.test(partial)) {
    const [prefix, rest] = [
      partial.slice(0, partial.indexOf('=') + 1),
      partial.slice(partial.indexOf('=') + 1),
    ];
    return (await rowCandidates(rest, ask)).map(one => ({...one, word: prefix + one.word}));
  }
  if (flag.choices !== undefined) return flag.choices.map(word => ({word}));
  if (name === 'namespace') return (await keysOf('Namespaces', '', ask)).map(word => ({word}));
  if (name === 'session') return sessionCandidates(ask);
  if (name === 'expected') return rowCandidates(partial, ask);
  if (name === 'collection') return collectionCandidates(ask);
  return [];
}

async function wordCandidates(
  {words}: TerminalCommand,
  line: CommandLine,
  partial: string,
  ask: Ask,
): Promise<Candidate[]> {
  const kind = words[Math.min(line.words.length, words.length - 1)];
  if (kind === 'shell') return shells.map(word => ({word}));
  if (kind === 'collection')
    return partial.includes('/') ? rowCandidates(partial, ask) : collectionCandidates(ask);
  if (kind !== 'key') return [];
  const collection = await resolve(line.words[0] as string, ask);
  const namespace = line.text('namespace');
  if (collection === undefined) return [];
  const prefix = namespace === undefined || partial.includes('/') ? '' : `${namespace}/`;
  const keys = await keysOf(collection, prefix + partial, ask);
  return keys.filter(key => key.startsWith(prefix)).map(key => ({word: key.slice(prefix.length)}));
}

async function graphOf(ask: Ask): Promise<NamedCollection[]> {
  return ((await ask('/graph')) as {collections?: NamedCollection[]} | undefined)?.collections ?? [];
}

async function resolve(word: string, ask: Ask): Promise<string | undefined> {
  return findShipped(word)?.name ?? findByWord(await graphOf(ask), word)?.name;
}

async function collectionCandidates(ask: Ask): Promise<Candidate[]> {
  const collections = await graphOf(ask);
  return collections.flatMap(({name, resource}) => [
    {word: name},
    ...(resource === undefined ? [] : [{word: resource.resource, about: resource.kind}]),
  ]);
}

async function sessionCandidates(ask: Ask): Promise<Candidate[]> {
  const answer = (await ask('/sessions')) as {sessions?: {name: string}[]} | undefined;
  return (answer?.sessions ?? []).map(({name}) => ({word: name}));
}

/** COLLECTION/KEY. */
async function rowCandidates(partial: string, ask: Ask): Promise<Candidate[]> {
  const slash = partial.indexOf('/');
  if (slash < 0) return (await graphOf(ask)).map(({name}) => ({word: `${name}/`}));
  const word = partial.slice(0, slash);
  const collection = await resolve(word, ask);
  if (collection === undefined) return [];
  const keys = await keysOf(collection, partial.slice(slash + 1), ask);
  return keys.map(key => ({word: `${word}/${key}`}));
}

async function keysOf(collection: string, prefix: string, ask: Ask): Promise<string[]> {
  const q = prefix === '' ? undefined : `"${prefix.replaceAll('"', '')}"`;
  const answer = (await ask(`/collections/${encodeURIComponent(collection)}/items`, {q, limit: '1000'})) as
    | {items?: {key: string}[]}
    | undefined;
  return (answer?.items ?? []).map(({key}) => key).filter(key => key.startsWith(prefix));
}
