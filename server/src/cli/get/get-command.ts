// krtscope get: rows of a collection with kubectl's habits.
import {UsageError} from '../../usage-error.ts';
import type {CommandEnvironment, TerminalCommand} from '../command.ts';
import {type CommandLine, usageError} from '../command-line.ts';
import {atFlag, commonFlags} from '../common-flags.ts';
import {exitWithError, InstanceError} from '../instance-client.ts';
import {printText, targetOf} from '../print-answer.ts';
import {findCollection, findShipped, splitReference} from './find-collection.ts';
import {fetchRow, fetchRows, type RowQuery, type RowsAnswer} from './get-rows.ts';
import type {NamedCollection} from './kubectl-names.ts';
import {nameText, outputFormats, parseOutput, templateRow} from './output-format.ts';
import type {CollectionRow, RowColumn} from './row-columns.ts';
import {isOneNamespace, RowPrinter, type ShownRows, terminalOf} from './row-printer.ts';
import {TableLayout} from './table-layout.ts';

const flags = {
  namespace: {type: 'string', short: 'n', value: 'NAME', help: 'only rows of this namespace'},
  'all-namespaces': {type: 'boolean', short: 'A', help: 'rows of all namespaces (the default)'},
  selector: {
    type: 'string',
    short: 'l',
    value: 'SELECTOR',
    help: 'only rows with these labels, such as app=web',
  },
  query: {
    type: 'string',
    short: 'q',
    value: 'FILTER',
    help: 'a filter as in the Sheet, such as "state:failed runs>10"',
  },
  sort: {type: 'string', value: '[-]PATH', help: 'order by this field; - for descending'},
  'sort-by': {type: 'string', value: 'PATH', help: 'the same in kubectl’s form, such as .metadata.name'},
  limit: {type: 'string', value: 'N', help: 'at most so many rows'},
  watch: {type: 'boolean', short: 'w', help: 'then print each row that changes, until Ctrl+C'},
  'output-watch-events': {type: 'boolean', help: 'with -w: show ADDED, MODIFIED or DELETED first'},
  'no-headers': {type: 'boolean', help: 'no line of column names'},
  at: atFlag,
  ...commonFlags,
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    help: 'wide, json, yaml, name, jsonpath=TEMPLATE or custom-columns=NAME:PATH,…',
    choices: outputFormats,
  },
} as const;

export const getCommand: TerminalCommand = {
  usage: [
    'get COLLECTION [KEY…] [flags]',
    'get COLLECTION/KEY [flags]',
    'get COLLECTION,COLLECTION… [flags]',
  ],
  about: `Kinds are named as for kubectl (pods, po, Pod, deployments.apps), other collections by their name in any case
(Workloads, workload). KEY is namespace/name; the name alone is enough if no other namespace has it, or with -n.
In a terminal the columns fit its width, and states have colours unless NO_COLOR is set.
-o json and -o yaml print the answer of the API: items with key, value, outcome and runs. With a KEY they print the
value alone. In jsonpath and custom-columns a row has the fields of its value, and key, outcome, runs and value.`,
  examples: [
    ['krtscope get pods -n shop', 'Pods as kubectl shows them'],
    ['krtscope get workloads -l app=cart -o wide', 'computed rows with every field'],
    ['krtscope get po redis-0 -o yaml', 'one object, without its secrets'],
    ['krtscope get workloads -q state:failed -o name', 'names of rows whose last run failed'],
    ['krtscope get pods -o jsonpath=\'{range .items[*]}{.key}{"\\n"}{end}\'', 'a template as for kubectl'],
    ['krtscope get svc -o custom-columns=NAME:.metadata.name,IP:.spec.clusterIP', 'columns of your own'],
    ['krtscope get pods --at 40', 'as it was at an earlier moment'],
    ['krtscope get workloads -w', 'every change, as it comes'],
  ],
  flags,
  words: ['collection', 'key'],
  run: (line, env) => runGet(line, env, Number.POSITIVE_INFINITY),
};

/** The former name. A person gets what fits on a screen or two, and the number of the rest. */
export const itemsCommand: TerminalCommand = {
  ...getCommand,
  usage: ['items COLLECTION [KEY…] [flags]'],
  examples: [['krtscope items Workloads -q "ns:shop -l app=cart" --sort -name', 'rows that match a filter']],
  run: (line, env) => runGet(line, env, line.text('output') === undefined ? 100 : Number.POSITIVE_INFINITY),
};

async function runGet(line: CommandLine, env: CommandEnvironment, most: number): Promise<void> {
  const [first, ...rest] = line.words;
  if (first === undefined) throw usageError(getCommand);
  const format = parseOutput(line.text('output'));
  const limit = line.number('limit', 1) ?? most;
  const target = targetOf(line, env);
  if (first.includes(','))
    return showSeveral({line, env, format, target, limit, keys: []}, first.split(','), rest);
  const {collection: word, key} =
    rest.length === 0
      ? await splitReference(target, first, line.text('at'))
      : {collection: first, key: undefined};
  const keys = key === undefined ? rest : [key];
  const shown: ShownRows = {line, env, format, target, limit, keys};
  const shipped = findShipped(word);
  // Only a session of a program lacks a shipped kind, so try it first.
  if (shipped !== undefined && (await show(shown, shipped, false))) return;
  await show(shown, await findCollection(target, word, line.text('at')), true);
}

/** `get deploy,svc`: a table for each collection, or one document with the rows of all. */
async function showSeveral(shown: ShownRows, words: string[], keys: string[]): Promise<void> {
  if (keys.length > 0 || shown.line.has('watch'))
    throw new UsageError('several collections take neither a KEY nor -w; give one collection');
  const {line, target, limit, format} = shown;
  const parts = [];
  for (const word of words) {
    try {
      const collection = await findCollection(target, word, line.text('at'));
      parts.push({collection, answer: await fetchRows(target, collection.name, queryOf(line), limit)});
    } catch (error) {
      return exitWithError((error as Error).message);
    }
  }
  if (format.kind === 'document') {
    const items = parts.flatMap(({collection: {name}, answer}) =>
      answer.items.map(item => ({collection: name, ...item})),
    );
    const total = parts.reduce((sum, {answer}) => sum + answer.total, 0);
    return printText(await format.text({total, items: format.isTemplate ? items.map(templateRow) : items}));
  }
  const filled = parts.filter(({answer}) => answer.items.length > 0);
  if (filled.length === 0) return void process.stderr.write(`No rows of ${words.join(', ')} found\n`);
  for (const [index, {collection, answer}] of filled.entries()) {
    if (index > 0 && format.kind === 'table') process.stdout.write('\n');
    await print({...shown, isKindShown: true}, collection, answer);
  }
}

/** False if the session has no such collection and `isSure` is not set. */
async function show(shown: ShownRows, collection: NamedCollection, isSure: boolean): Promise<boolean> {
  const {line, target, keys, limit} = shown;
  const query = queryOf(line);
  if (line.has('watch'))
    return watch(shown, isSure ? collection : await sureCollection(shown, collection), query);
  try {
    if (keys.length === 0)
      await print(shown, collection, await fetchRows(target, collection.name, query, limit));
    else {
      const rows: CollectionRow[] = [];
      for (const key of keys)
        rows.push(await fetchRow(target, collection.name, key, line.text('namespace'), line.text('at')));
      await print(shown, collection, {sequence: 0, total: rows.length, items: rows});
    }
    return true;
  } catch (error) {
    if (!(error instanceof InstanceError)) throw error;
    if (error.code === 'unknown-collection' && !isSure) return false;
    return exitWithError(error.message);
  }
}

const sureCollection = ({target, line}: ShownRows, {name}: NamedCollection) =>
  findCollection(target, name, line.text('at'));

async function watch(shown: ShownRows, collection: NamedCollection, query: RowQuery): Promise<true> {
  if (shown.line.text('at') !== undefined) throw new UsageError('-w follows the present; leave --at out');
  const {watchRows} = await import('./watch-rows.ts');
  const printer = new RowPrinter(shown, collection);
  const namespace = shown.line.text('namespace');
  await watchRows(shown.target, collection.name, {
    query,
    keys: shown.keys.map(key =>
      namespace !== undefined && !key.includes('/') ? `${namespace}/${key}` : key,
    ),
    first: rows => printer.first(rows),
    changed: (event, row) => printer.next(event, row),
  });
  return true;
}

function queryOf(line: CommandLine): RowQuery {
  const namespace = line.has('all-namespaces') ? undefined : line.text('namespace');
  const selector = line.text('selector');
  const terms = [
    ...(namespace === undefined ? [] : [`ns:${namespace}`]),
    ...(selector === undefined ? [] : [`-l ${selector}`]),
    ...(line.text('query') === undefined ? [] : [line.text('query') as string]),
  ];
  const sortBy = line.text('sort-by')?.replace(/^\{?\.?|\}$/g, '');
  return {
    q: terms.length === 0 ? undefined : terms.join(' '),
    sort: line.text('sort') ?? sortBy,
    at: line.text('at'),
  };
}

async function print(shown: ShownRows, collection: NamedCollection, answer: RowsAnswer): Promise<void> {
  const {format, line, env, keys} = shown;
  const {items, total} = answer;
  if (format.kind === 'name') {
    for (const row of items) printText(nameText(collection, row.key, isOneNamespace(line)));
    return;
  }
  if (format.kind === 'document') {
    const rows = format.isTemplate
      ? items.map(templateRow)
      : keys.length > 0
        ? items.map(row => row.value)
        : items;
    const only = keys.length === 1 ? rows[0] : undefined;
    const document = only ?? (keys.length > 0 ? {kind: 'List', items: rows} : {...answer, items: rows});
    return printText(await format.text(document));
  }
  if (items.length === 0) {
    const where = isOneNamespace(line) ? ` in namespace ${line.text('namespace')}` : '';
    process.stderr.write(`No rows of ${collection.name} found${where}\n`);
    return;
  }
  const columns = format.columns(collection, isOneNamespace(line));
  if (shown.isKindShown) prefixNames(columns, collection);
  const cells = items.map(row => columns.map(({cell}) => cell(row)));
  const layout = new TableLayout(
    columns.map(({name}) => name),
    cells,
    terminalOf(env),
  );
  const lines = cells.map(row => layout.line(row));
  const more = total - items.length;
  process.stdout.write(
    [
      ...(line.has('no-headers') ? [] : [layout.header()]),
      ...lines,
      ...(more > 0 && keys.length === 0 ? [`${more} more; give --limit N, or -o json for all`] : []),
      '',
    ].join('\n'),
  );
}

/** As kubectl names objects of several kinds: `deployment.apps/cart`. */
function prefixNames(columns: RowColumn[], collection: NamedCollection): void {
  const column = columns.find(({name}) => name === 'NAME' || name === 'KEY');
  if (column === undefined) return;
  const {cell} = column;
  column.cell = row => nameText(collection, cell(row), false);
}
