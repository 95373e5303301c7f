// krtscope why, why-not and origin: the explanations of a row.
import type {Origin} from '@krtscope/shared/origin.ts';
import type {Why, WhyNot} from '@krtscope/shared/why.ts';
import {UsageError} from '../usage-error.ts';
import {originText, whyNotText, whyText} from './answer-text.ts';
import type {CommandEnvironment, CommandHelp, TerminalCommand} from './command.ts';
import type {CommandLine} from './command-line.ts';
import {atFlag, commonFlags} from './common-flags.ts';
import {findShipped} from './get/find-collection.ts';
import {outputOf, printAnswer, targetOf} from './print-answer.ts';
import {askAboutRow, namespaceFlag, rowOf} from './row-reference.ts';

const input = {type: 'boolean', help: 'KEY is the key of an input, not of a row'} as const;
const rowFlags = {namespace: namespaceFlag, input, at: atFlag, ...commonFlags} as const;

async function explain<T>(
  path: string,
  help: CommandHelp,
  line: CommandLine,
  env: CommandEnvironment,
  query: Record<string, string | undefined>,
  text: (answer: T) => string,
): Promise<void> {
  const output = outputOf(line);
  const target = () => targetOf(line, env);
  const row = await rowOf(line, help, target);
  const answer = await askAboutRow(target(), path, row, {
    ...query,
    input: line.has('input') ? '1' : undefined,
    at: line.text('at'),
  });
  await printAnswer<T>(output, answer, text);
}

export const whyCommand: TerminalCommand = {
  usage: ['why COLLECTION KEY [flags]'],
  about:
    'Says why the row has its value: the write that caused the last change, the runs between, and what followed.',
  examples: [
    ['krtscope why Workloads data/redis-0', 'why a computed row is as it is'],
    ['krtscope why pod/redis-0 -n data', 'who changed an object last'],
    ['krtscope why workload redis-0', 'a name alone, if only one namespace has it'],
    ['krtscope why Workloads data/redis-0 --run latest -o json', 'its last run, even if it changed nothing'],
  ],
  flags: {
    run: {
      type: 'string',
      value: 'ID',
      help: 'latest, or a run such as 184.2 (default: the last that changed it)',
    },
    ...rowFlags,
  },
  words: ['collection', 'key'],
  run: (line, env) => explain<Why>('why', whyCommand, line, env, {run: line.text('run')}, whyText),
};

export const whyNotCommand: TerminalCommand = {
  usage: ['why-not COLLECTION KEY --expected COLLECTION/KEY [flags]'],
  about:
    'Says why the row does not depend on an object that you expected it to: the filter that fails, and what it has.',
  examples: [
    [
      'krtscope why-not ServiceInfos shop/cart --expected Pods/data/redis-0',
      'why a Service does not select a Pod',
    ],
    ['krtscope why-not ServiceInfos shop/cart --expected pod/data/redis-0 -o json', 'the same for a script'],
  ],
  flags: {
    expected: {type: 'string', value: 'COLLECTION/KEY', help: 'the object that it should react to'},
    ...rowFlags,
  },
  words: ['collection', 'key'],
  run: async (line, env) =>
    explain<WhyNot>('why-not', whyNotCommand, line, env, {expected: expectedOf(line)}, whyNotText),
};

function expectedOf(line: CommandLine): string | undefined {
  const text = line.text('expected');
  if (text === undefined) return undefined;
  const [, word, key] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (word === undefined || key === undefined)
    throw new UsageError(`--expected is "${text}"; give it as COLLECTION/KEY`);
  return `${findShipped(word)?.name ?? word}/${key}`;
}

export const originCommand: TerminalCommand = {
  usage: ['origin COLLECTION KEY [--field PATH] [--try] [flags]'],
  about:
    'Follows a value back to the write that caused it, step by step, and offers a fix if one would last.',
  examples: [
    ['krtscope origin Workloads data/redis-0 --field node', 'where one field comes from'],
    ['krtscope origin Workloads data/redis-0', 'where the whole row comes from'],
  ],
  flags: {
    field: {type: 'string', value: 'PATH', help: 'a field of the row (default: the whole row)'},
    try: {type: 'boolean', help: 'try the fix in a copy of the graph'},
    ...rowFlags,
  },
  words: ['collection', 'key'],
  run: (line, env) =>
    explain<Origin>(
      'origin',
      originCommand,
      line,
      env,
      {field: line.text('field'), try: line.has('try') ? '1' : undefined},
      originText,
    ),
};
