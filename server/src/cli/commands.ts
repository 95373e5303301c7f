// krtscope why, why-not, origin, incidents, items, graph, what-if: print the answers of a running instance.
import {parseArgs} from 'node:util';
import type {Items} from '@krtscope/shared/items.ts';
import {
  facetsOf,
  kindOfPart,
  pathPartsOf,
  type QuestionName,
  queryPartsOf,
} from '@krtscope/shared/questions.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {z} from 'zod';
import {escapeControlCharacters} from '../terminal.ts';
import {UsageError} from '../usage-error.ts';
import {incidentsText, itemsText, originText, whyNotText, whyText} from './answer-text.ts';
import {commonFlags} from './common-flags.ts';
import {findInstanceTarget, type InstanceTarget, requestFromInstance} from './instance-client.ts';
import {runWhatIfCommand} from './what-if-command.ts';

type Env = Record<string, string | undefined>;

const commands: Record<string, (args: string[], env: Env) => Promise<void>> = {
  why: createQuestionCommand('why', whyText),
  'why-not': createQuestionCommand('why-not', whyNotText),
  origin: createQuestionCommand('origin', originText),
  incidents: createQuestionCommand('incidents', incidentsText),
  items: runItemsCommand,
  graph: runGraphCommand,
  'what-if': runWhatIfCommand,
  attach: runAttachCommand,
};

/** Runs the command in these arguments, or returns false if there is none. Its flags may also precede it. */
export async function runCommand(args: string[], env: Env): Promise<boolean> {
  const at = findCommandWord(args);
  const run = commands[args[at] ?? ''];
  if (run === undefined) return false;
  await run(args.toSpliced(at, 1), env);
  return true;
}

/** The index of the first argument that is neither a flag nor its value. */
function findCommandWord(args: string[]): number {
  let at = 0;
  while (args[at]?.startsWith('-'))
    at += findValueFlag(args[at] as string, commonFlags) === undefined ? 1 : 2;
  return at;
}

type CommandOptions = Record<string, {type: 'string' | 'boolean'; short?: string}>;

/** The long name of the flag, if it takes the next word as its value. */
function findValueFlag(word: string, options: CommandOptions): string | undefined {
  return Object.entries(options).find(
    ([name, {type, short}]) =>
      type === 'string' && (word === `--${name}` || (short !== undefined && word === `-${short}`)),
  )?.[0];
}

// Node's parser refuses `--sort -name` and `-q "-l app=web"`, so join the flag and its value.
function joinDashes(args: string[], options: CommandOptions): string[] {
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [word, next] = [args[i] as string, args[i + 1]];
    const name = findValueFlag(word, options);
    if (name === undefined || next === undefined || !/^-[^-]/.test(next) || findValueFlag(next, options)) {
      joined.push(word);
      continue;
    }
    joined.push(`--${name}=${next}`);
    i++;
  }
  return joined;
}

function parseCommandArgs<O extends NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>>(
  args: string[],
  options: O,
) {
  const all = {...commonFlags, ...options};
  try {
    return parseArgs({args: joinDashes(args, all), options: all, allowPositionals: true, strict: true});
  } catch (error) {
    // Keep only the first sentence: the rest is advice about Node's parser.
    throw new UsageError(`${(error as Error).message.split(/\.\s/)[0]}; krtscope --help lists the flags`);
  }
}

/** A command that asks one question. The question's table defines its words and flags. */
function createQuestionCommand<T>(name: QuestionName, text: (answer: T) => string) {
  return async (args: string[], env: Env): Promise<void> => {
    const flags = queryPartsOf(name);
    const {values: given, positionals} = parseCommandArgs(
      args,
      Object.fromEntries(flags.map(flag => [flag, flagOf(name, flag)])),
    );
    const values = given as CommandValues;
    const parts = pathPartsOf(name);
    if (positionals.length !== parts.length) throw new UsageError(`usage: ${usageOf(name)}`);
    const query: Record<string, string | undefined> = {};
    for (const flag of flags) query[flag] = toQueryValue(name, flag, values[flag]);
    let path = facetsOf(name).path as string;
    for (const [i, part] of parts.entries())
      path = path.replace(`:${part}`, encodePathPart(positionals[i] as string));
    printAnswer(
      values.output as string | undefined,
      await requestFromInstance(targetFromFlags(values, env), path, query),
      text,
    );
  };
}

type CommandValues = Record<string, string | boolean | undefined>;

function flagOf(name: QuestionName, flag: string): {type: 'string' | 'boolean'} {
  return {type: kindOfPart(name, flag) === 'boolean' ? 'boolean' : 'string'};
}

function usageOf(name: QuestionName): string {
  const flags = queryPartsOf(name).map(
    flag => `[--${flag}${flagOf(name, flag).type === 'boolean' ? '' : ` ${flag.toUpperCase()}`}]`,
  );
  return ['krtscope', name, ...pathPartsOf(name).map(part => part.toUpperCase()), ...flags].join(' ');
}

/** A flag's value for the query. Throws UsageError for values that the question would refuse. */
function toQueryValue(
  name: QuestionName,
  flag: string,
  value: string | boolean | undefined,
): string | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return '1';
  // The server finds the item.
  if (flag === 'expected') {
    if (!/^[^/]+\/./.test(value)) throw new UsageError(`--expected is "${value}"; give it as COLLECTION/KEY`);
    return value;
  }
  const number = kindOfPart(name, flag) === 'number';
  const read = facetsOf(name).takes[flag] as z.ZodType;
  const fits = (!number || /^\d+$/.test(value)) && read.safeParse(number ? Number(value) : value).success;
  if (!fits) throw new UsageError(`--${flag} is "${value}"; usage: ${usageOf(name)}`);
  return value;
}

async function runItemsCommand(args: string[], env: Env): Promise<void> {
  const {values, positionals} = parseCommandArgs(args, {
    query: {type: 'string', short: 'q'},
    sort: {type: 'string'},
    limit: {type: 'string'},
    at: {type: 'string'},
  });
  if (positionals.length !== 1) throw new UsageError('usage: krtscope items COLLECTION [-q FILTER]');
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))
    throw new UsageError(`--limit is "${values.limit}"; give a whole number from 1 up`);
  const answer = await fetchItemPages(
    targetFromFlags(values, env),
    `/collections/${encodePathPart(positionals[0] as string)}/items`,
    {q: values.query, sort: values.sort, at: values.at},
    // A script wants everything. A person wants what fits on a screen or two, and the number of the rest.
    limit ?? (values.output === 'json' ? Number.POSITIVE_INFINITY : 100),
  );
  printAnswer(values.output, answer, itemsText);
}

/** Fetches items page by page, because one answer holds at most a thousand. */
async function fetchItemPages(
  to: InstanceTarget,
  path: string,
  query: Record<string, string | undefined>,
  wanted: number,
): Promise<Items> {
  const items: Items['items'] = [];
  let cursor: string | undefined;
  for (;;) {
    const limit = String(Math.min(1000, wanted - items.length));
    const {cursor: next, ...page} = (await requestFromInstance(to, path, {...query, limit, cursor})) as Items;
    items.push(...page.items);
    cursor = next;
    if (cursor === undefined || items.length >= wanted) return {...page, items, cursor};
  }
}

async function runGraphCommand(args: string[], env: Env): Promise<void> {
  const {values, positionals} = parseCommandArgs(args, {
    mermaid: {type: 'boolean'},
    dot: {type: 'boolean'},
    at: {type: 'string'},
  });
  if (positionals.length > 0) throw new UsageError('usage: krtscope graph [--mermaid | --dot | -o json]');
  if (values.output === 'json')
    return printAnswer(
      'json',
      await requestFromInstance(targetFromFlags(values, env), '/graph', {at: values.at}),
      String,
    );
  const path = values.dot === true ? '/graph.dot' : '/graph.mmd';
  const diagram = String(
    await requestFromInstance(targetFromFlags(values, env), path, {at: values.at}),
  ).trimEnd();
  process.stdout.write(`${escapeControlCharacters(diagram)}\n`);
}

/** Attaches a running instance to another program. */
async function runAttachCommand(args: string[], env: Env): Promise<void> {
  const {values, positionals} = parseCommandArgs(args, {log: {type: 'string'}});
  const [target, ...others] = positionals;
  if (target === undefined || others.length > 0)
    throw new UsageError('usage: krtscope attach [NAME=]TARGET [--log pod|off]');
  const [, name, krtz = target] = /^([A-Za-z0-9][A-Za-z0-9._-]{0,62})=(.+)$/s.exec(target) ?? [];
  const body = {krtz, name, log: values.log};
  const session = await requestFromInstance(targetFromFlags(values, env), '/sessions', {}, {body});
  printAnswer(values.output, session, answer => {
    const {name: opened, connection} = answer as SessionAnswer;
    return `${opened}: ${connection.state}${connection.reason === undefined ? '' : ` (${connection.reason})`}`;
  });
}

const encodePathPart = encodeURIComponent;

function targetFromFlags(
  values: {url?: string; token?: string; session?: string; 'data-dir'?: string; output?: string; at?: string},
  env: Env,
): InstanceTarget {
  if (values.at !== undefined && !/^\d{1,15}$/.test(values.at))
    throw new UsageError(`--at is "${values.at}"; give the number of a moment, such as --at 120`);
  if (values.output !== undefined && values.output !== 'json') {
    throw new UsageError(`-o ${values.output} is not known; give -o json`);
  }
  return findInstanceTarget({...values, dataDir: values['data-dir']}, env);
}

function printAnswer<T>(output: string | undefined, answer: unknown, text: (answer: T) => string): void {
  const printed = output === 'json' ? JSON.stringify(answer, null, 2) : text(answer as T).trimEnd();
  process.stdout.write(`${escapeControlCharacters(printed)}\n`);
}
