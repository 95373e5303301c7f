// Random work on a session: writes to sources; puts, renames and drops of formulas, groups, modules and a source.
import type {FormulaKind} from '@krtscope/shared/formulas.ts';
import {withGrouped} from '@krtscope/shared/groups/group-name.ts';
import type {Command, InstallableFormula, InstallableModule} from '../../src/engine/link/commands.ts';
import type {Arrival} from '../../src/engine/link/host-messages.ts';
import {compileFormula} from '../../src/formula/compile/formula-compiler.ts';
import {compileModule} from '../../src/formula/compile/module-compiler.ts';

const sources = ['Widgets', 'Gadgets'];
/** A source that is added and dropped. */
const EXTRA = 'Extras';
const MODULE = 'mine.graph.ts';
const names = ['Alpha', 'Beta', 'Gamma', 'Delta'];
const keys = ['a', 'b', 'c', 'd', 'e'];

const formulaTexts: {kind: FormulaKind; code: (n: number, read: string) => string}[] = [
  {
    kind: 'one',
    code: n =>
      `(ctx, item) => ({n: item.n + ${n}, part: {at: item.n, text: 'v${n}'}, list: [1, item.n, ${n}]})`,
  },
  {
    kind: 'one',
    code: n => `(ctx, item) => { if (item.bad) throw new Error('bad row'); return {n: item.n, v: ${n}}; }`,
  },
  {kind: 'one', code: n => `(ctx, item) => item.n % 2 === 0 ? undefined : {n: item.n, even: {v: ${n}}}`},
  {kind: 'one', code: (n, read) => `(ctx, item) => ({n: item.n, near: ctx.fetch(${read}).length, v: ${n}})`},
  {
    kind: 'many',
    code: n => `(ctx, item) => [{key: item.key + '-x', n: item.n}, {key: item.key + '-y', v: {n: ${n}}}]`,
  },
  {kind: 'singleton', code: (n, read) => `ctx => ({n: ctx.fetch(${read}).length + ${n}})`},
];

/** The session that the steps change. */
export interface FuzzedSession {
  readonly isKilled: boolean;
  apply(arrival: Arrival): void;
  /** Resolves to whether the command was obeyed. */
  command(command: Command): Promise<boolean>;
  settle(): Promise<void>;
}

export class RandomSteps {
  /** What was done, for the report. */
  readonly done: string[] = [];
  readonly #random: () => number;
  readonly #session: FuzzedSession;
  /** Formulas may read each other and the module in a circle. */
  readonly #hasCircles: boolean;
  /** The last text of each formula, for renames. */
  readonly #formulas = new Map<string, InstallableFormula>();
  #extra: 'absent' | 'present' | 'changing' = 'absent';

  constructor(random: () => number, session: FuzzedSession) {
    this.#random = random;
    this.#session = session;
    this.#hasCircles = random() < 0.3;
    for (const source of sources) session.apply({source, report: {state: 'synced', synced: random() < 0.8}});
  }

  async step(): Promise<void> {
    const pick = this.#random();
    if (pick < 0.42) this.#write();
    else if (pick < 0.46)
      this.#session.apply({source: this.#one(sources), report: {state: 'synced', synced: true}});
    else if (pick < 0.49) await this.#putGroupFormula();
    else if (pick < 0.5)
      this.#command({command: 'drop-group', name: `${this.#one([...sources, EXTRA])} by n`});
    else if (pick < 0.68) await this.#putFormula();
    else if (pick < 0.74) this.#renameFormula();
    else if (pick < 0.82)
      this.#command({command: 'drop-formula', name: this.#one(names), force: this.#chance(0.7)});
    else if (pick < 0.88) await this.#changeExtra();
    else if (pick < 0.97) await this.#putModule();
    else this.#command({command: 'drop-module', name: MODULE});
  }

  /** Adds or drops a source. A session feeds it between the two answers. A source that formulas read stays. */
  async #changeExtra(): Promise<void> {
    if (this.#extra === 'changing') return;
    const adds = this.#extra === 'absent';
    // Main forgets the unsettled writes of a source that it asks to drop, also if the drop is refused then.
    if (!adds) await this.#session.settle();
    if (!adds && this.#session.isKilled) return;
    this.#extra = 'changing';
    this.#command(
      adds ? {command: 'add-source', source: {collection: EXTRA}} : {command: 'drop-source', name: EXTRA},
    ).then(isObeyed => {
      this.#extra = adds === isObeyed ? 'present' : 'absent';
      if (this.#extra === 'present')
        this.#session.apply({source: EXTRA, report: {state: 'synced', synced: true}});
    });
  }

  /** A rename is a delete and an add of the same text. */
  #renameFormula(): void {
    const from = this.#one(names);
    const to = this.#one(names);
    const formula = this.#formulas.get(from);
    if (formula === undefined || from === to || formula.reads.includes(to)) return;
    this.#formulas.delete(from);
    this.#formulas.set(to, {...formula, name: to});
    this.#command({command: 'drop-formula', name: from, force: true});
    this.#command({command: 'put-formula', formula: {...formula, name: to}});
  }

  #write(): void {
    const collection = this.#one(this.#extra === 'present' ? [...sources, EXTRA] : sources);
    const key = this.#one(keys);
    const n = this.#below(10);
    const received = Date.now();
    const row = {
      key,
      n,
      ...(this.#chance(0.3) ? {bad: true} : {}),
      metadata: {name: key, labels: {n: String(n)}},
    };
    const change = this.#chance(0.2)
      ? {collection, key, event: 'delete' as const, received}
      : {collection, key, event: 'update' as const, new: row, received};
    this.done.push(`${change.event} ${collection}/${key}`);
    this.#session.apply({changes: [change]});
  }

  async #putFormula(): Promise<void> {
    const name = this.#one(names);
    const formulas = this.#hasCircles ? names : names.slice(0, names.indexOf(name));
    const ofModule = this.#hasCircles ? ['ModuleRows', 'ModuleSums'] : [];
    const others = [...sources, EXTRA, ...formulas, ...ofModule, 'Missing'];
    const {kind, code: make} = this.#one(formulaTexts);
    const input =
      kind === 'singleton' ? undefined : this.#chance(0.6) ? this.#one(sources) : this.#one(others);
    const text = make(this.#below(4), this.#one(others));
    await this.#installFormula(name, kind, input, text);
  }

  async #putGroupFormula(): Promise<void> {
    const name = this.#one(names);
    const grouped = this.#one([...sources, EXTRA, ...names.slice(0, names.indexOf(name))]);
    const group = `${grouped} by n`;
    this.#command({command: 'put-group', name: group});
    const code = `(ctx, group) => ({count: group.objects.length, v: ${this.#below(4)}})`;
    await this.#installFormula(name, 'one', group, code);
  }

  async #installFormula(
    name: string,
    kind: FormulaKind,
    input: string | undefined,
    code: string,
  ): Promise<void> {
    const compiled = await compileFormula(code, kind, input);
    const reads = withGrouped([...(input === undefined ? [] : [input]), ...compiled.names]);
    const formula: InstallableFormula = {name, kind, input, code, hash: compiled.hash, reads, compiled};
    this.#formulas.set(name, formula);
    this.#command({command: 'put-formula', formula});
  }

  async #putModule(): Promise<void> {
    const n = this.#below(4);
    const source = this.#one([...sources, EXTRA, ...names]);
    // Views have no formula: their rows go in another way.
    const views = this.#chance(0.5)
      ? `
  const mapped = mapCollection(first, (row: any) => ({key: row.key, bad: row.bad ?? false}), {name: 'ModuleMap'});
  joinCollection([first, mapped], {name: 'ModuleJoin'});
  newIndex(first, 'bad', (row: any) => [String(row.bad ?? false)]).asCollection({name: 'ModuleGroups'});`
      : '';
    const text = `import {joinCollection, mapCollection, newCollection, newIndex} from 'krtscope/krt';
export function build({collection}: any) {
  const first = newCollection(collection('${source}'), (ctx, item: any) => ({key: item.key ?? 'k', n: ${n}, bad: item.bad}), {name: 'ModuleRows', key: (row: any) => row.key});
  newCollection(first, (ctx, item: any) => ({key: item.key, n: item.n * 2}), {name: 'ModuleSums', key: (row: any) => row.key});${views}
}
`;
    const compiled = await compileModule(MODULE, async path => (path === MODULE ? text : undefined));
    const {hash} = compiled;
    const files = compiled.files.map(({path}) => ({path, code: text}));
    const module: InstallableModule = {
      name: MODULE,
      hash,
      compiled,
      files,
      sources: {},
    };
    this.#command({command: 'put-module', module});
  }

  #command(command: Command): Promise<boolean> {
    const text =
      command.command === 'put-formula'
        ? `put ${command.formula.name} over ${command.formula.input}: ${command.formula.code}`
        : JSON.stringify(command).slice(0, 60);
    this.done.push(text);
    return this.#session.command(command);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }
}
