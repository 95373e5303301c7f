// krtscope diff: what changed between two moments, row by row and field by field.
import type {Diff} from '@krtscope/shared/items.ts';
import {objectName} from '@krtscope/shared/object-name.ts';
import {listLeaves, writePath} from '@krtscope/shared/path.ts';
import {toOneLine} from '../terminal.ts';
import {type Colours, coloursFor} from './colours.ts';
import type {TerminalCommand} from './command.ts';
import {usageError} from './command-line.ts';
import {commonFlags} from './common-flags.ts';
import {collectionNameOf} from './get/find-collection.ts';
import {exitWithError, requestFromInstance} from './instance-client.ts';
import {outputOf, printText, structuredText, targetOf} from './print-answer.ts';

/** As diff(1): 1 means a difference. */
const DIFFERENT_CODE = 1;
const ERROR_CODE = 2;

export const diffCommand: TerminalCommand = {
  usage: ['diff FROM [TO] [--collection NAME] [flags]'],
  about: `Shows which rows were added, removed or changed between two moments (sequence numbers; TO is now if absent).
As diff does, it exits with 0 if nothing changed, with 1 if something did, and with 2 after an error.`,
  examples: [
    ['krtscope diff 40', 'what changed since a moment'],
    ['krtscope diff 40 80 --collection workloads', 'what changed in one collection'],
  ],
  exitCodes: [
    [0, 'nothing changed'],
    [DIFFERENT_CODE, 'something changed'],
    [ERROR_CODE, 'a wrong command line, the instance refused, or none is running'],
  ],
  flags: {
    collection: {type: 'string', short: 'c', value: 'NAME', help: 'only rows of this collection'},
    ...commonFlags,
  },
  words: ['moment'],
  run: async (line, env) => {
    const [from, to, ...others] = line.words;
    if (from === undefined || others.length > 0 || ![from, to ?? '0'].every(text => /^\d{1,15}$/.test(text)))
      throw usageError(diffCommand);
    const output = outputOf(line);
    const target = targetOf(line, env, ERROR_CODE);
    const request = (path: string, query: Record<string, string | undefined>) =>
      requestFromInstance(target, path, query, {exitCode: ERROR_CODE});
    const end = to ?? String(((await request('/graph', {})) as {sequence: number}).sequence);
    const answer = (await request('/diff', {from, to: end})) as Diff;
    const word = line.text('collection');
    if (word !== undefined) {
      const name = await collectionNameOf(target, word, undefined).catch(error =>
        exitWithError((error as Error).message, ERROR_CODE),
      );
      answer.collections = {[name]: answer.collections[name] ?? []};
    }
    if (output !== undefined) printText(await structuredText(output, answer));
    else process.stdout.write(`${diffLines(answer, coloursFor(process.stdout, env)).join('\n')}\n`);
    process.exitCode = Object.values(answer.collections).some(rows => rows.length > 0) ? DIFFERENT_CODE : 0;
  },
};

const SHOWN_FIELDS = 12;

function diffLines({from, to, collections}: Diff, colours: Colours): string[] {
  const changed = Object.entries(collections).filter(([, rows]) => rows.length > 0);
  if (changed.length === 0) return [`nothing changed between #${from} and #${to}`];
  return changed.flatMap(([collection, rows]) =>
    rows.flatMap(({key, old, new: now}) => {
      const name = toOneLine(objectName({collection, key}));
      if (old === undefined) return [colours.green(`+ ${name}`)];
      if (now === undefined) return [colours.red(`- ${name}`)];
      return [`  ${colours.bold(name)}`, ...fieldLines(old, now, colours)];
    }),
  );
}

function fieldLines(old: unknown, now: unknown, colours: Colours): string[] {
  const before = new Map(listLeaves(old).map(({path, value}) => [writePath(path), JSON.stringify(value)]));
  const after = new Map(listLeaves(now).map(({path, value}) => [writePath(path), JSON.stringify(value)]));
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    // The version and the managers change with every write and say nothing more.
    path =>
      before.get(path) !== after.get(path) &&
      !/^metadata\.(resourceVersion|managedFields|generation)/.test(path),
  );
  const lines = paths
    .slice(0, SHOWN_FIELDS)
    .flatMap(path => [
      ...(before.has(path) ? [colours.red(`    - ${path}: ${cut(before.get(path))}`)] : []),
      ...(after.has(path) ? [colours.green(`    + ${path}: ${cut(after.get(path))}`)] : []),
    ]);
  const more = paths.length - SHOWN_FIELDS;
  return more > 0
    ? [...lines, `    ${more} more ${more === 1 ? 'field' : 'fields'}; -o json has all`]
    : lines;
}

function cut(text = 'null'): string {
  const line = toOneLine(text);
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
