// The messages that make a copy of a session's graph at a past moment, or of a recording. They come from the session's
// answers about that moment.
import type {Graph} from '@krtscope/shared/graph.ts';
import {parseGroupName} from '@krtscope/shared/groups/group-name.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {InstallableFormula} from '../../engine/link/commands.ts';
import {EngineFailure, type EngineLink, type SourceReport} from '../../engine/link/engine-link.ts';
import type {StartOptions, ToHost} from '../../engine/link/host-messages.ts';
import {createCopyMessage} from '../../engine/supervisor/start-messages.ts';
import {compileModule} from '../../formula/compile/module-compiler.ts';
import {compileFormulaText, toFormulaOrder} from '../formulas/trial/formula-compilation.ts';

const PAGE = 1000;

interface RecordedModule {
  name: string;
  files: {path: string; code: string}[];
  sources?: Record<string, string>;
}

export interface MomentOptions {
  readonly link: EngineLink;
  readonly at: number | undefined;
  readonly name: string;
  /** Whether the recorded formulas of other people may run. */
  readonly trustsFormulas: boolean;
}

export async function* momentMessages(options: MomentOptions): AsyncIterable<ToHost> {
  const {link, at, name} = options;
  const graph = (await link.ask({ask: 'graph', at})) as Graph;
  const sources = graph.collections.filter(({kind, resource}) => kind === 'source' || resource !== undefined);
  const start: StartOptions = {
    name,
    recording: '',
    firstSequence: graph.sequence,
    historyRuns: 0,
    historyMb: 0,
    redacted: true,
    sources: sources.map(({name: collection, resource}) => ({collection, resource})),
    resumes: true,
  };
  yield createCopyMessage(start);
  yield* formulaMessages(options);
  for (const {name: collection} of sources)
    for await (const objects of pagesOf(link, collection, graph.sequence))
      yield {type: 'replay', objects: JSON.stringify(objects)};
  const reports = sources.map(({name: collection, synced, resource, state}): [string, SourceReport] => [
    collection,
    {state: synced ? 'synced' : ((state ?? 'waiting') as SourceReport['state']), synced, resource},
  ]);
  yield {type: 'replay-end', reports, rows: [], lives: '{"collections":[],"modules":[]}'};
}

async function* formulaMessages({link, at, trustsFormulas, name}: MomentOptions): AsyncIterable<ToHost> {
  const {formulas, modules} = (await link.ask({ask: 'formulas', at})) as {
    formulas: InstallableFormula[];
    modules: RecordedModule[];
  };
  if (!trustsFormulas && formulas.length + modules.length > 0)
    throw new EngineFailure({
      code: 'cannot-recompute',
      message: `${name} was recorded with formulas (${[...formulas, ...modules].map(one => one.name).join(', ')}), and krtscope does not run the code of a file on its own`,
      hint: 'if you trust the file: krtscope what-if --recording FILE --trust-formulas',
    });
  let id = 0;
  const groups = formulas.flatMap(({reads}) => reads).filter(one => parseGroupName(one) !== undefined);
  for (const group of new Set(groups)) {
    id += 1;
    yield {type: 'command', id, command: {command: 'put-group', name: group}};
  }
  for (const formula of sortByReads(formulas)) {
    const compilation = await compileFormulaText(formula, formula.helpers);
    id += 1;
    yield {
      type: 'command',
      id,
      command: {command: 'put-formula', formula: toFormulaOrder(formula, compilation)},
    };
  }
  for (const module of modules) {
    const texts = new Map(module.files.map(({path, code}) => [path, code]));
    const compiled = await compileModule(module.name, async path => texts.get(path));
    id += 1;
    yield {
      type: 'command',
      id,
      command: {
        command: 'put-module',
        module: {
          name: module.name,
          hash: compiled.hash,
          compiled,
          files: module.files,
          sources: module.sources ?? {},
        },
      },
    };
  }
}

/** Each formula after those that it reads. */
function sortByReads(formulas: readonly InstallableFormula[]): InstallableFormula[] {
  const byName = new Map(formulas.map(formula => [formula.name, formula]));
  const sorted = new Set<InstallableFormula>();
  const visiting = new Set<string>();
  const visit = (formula: InstallableFormula): void => {
    if (visiting.has(formula.name)) return;
    visiting.add(formula.name);
    for (const name of formula.reads) {
      const read = byName.get(name);
      if (read !== undefined) visit(read);
    }
    sorted.add(formula);
  };
  for (const formula of formulas) visit(formula);
  return [...sorted];
}

async function* pagesOf(
  link: EngineLink,
  collection: string,
  at: number,
): AsyncIterable<[string, string, unknown][]> {
  let cursor: string | undefined;
  do {
    const page = (await link.ask({ask: 'items', collection, limit: PAGE, cursor, at})) as Items;
    yield page.items.map(({key, value}) => [collection, key, value]);
    cursor = page.cursor;
  } while (cursor !== undefined);
}
