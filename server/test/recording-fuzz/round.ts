// One round: changes sources, formulas and modules at random, kills the host at a random message several times, and
// compares every retained moment before each kill with the same moment after the restart.
import '../../src/formula/sandbox/lockdown.ts';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {FormulaKind} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import {withGrouped} from '@krtscope/shared/groups/group-name.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import {stableTextOf} from '../../src/engine/host/live-graph/stable-text.ts';
import type {Command, InstallableFormula, InstallableModule} from '../../src/engine/link/commands.ts';
import {compileFormula} from '../../src/formula/compile/formula-compiler.ts';
import {compileModule} from '../../src/formula/compile/module-compiler.ts';
import {seededRandom} from '../manual-clock.ts';
import {type HostProcess, HostSession} from './host-session.ts';

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

interface MomentRows {
  readonly at: number;
  readonly rows: Map<string, string>;
}

export class RecordingRound {
  readonly problems: string[] = [];
  kills = 0;
  moments = 0;
  readonly #random: () => number;
  readonly #session: HostSession;
  /** The recording is so small that its oldest blocks roll off. */
  readonly #rollsOff: boolean;
  /** Formulas may read each other and the module in a circle. */
  readonly #hasCircles: boolean;
  readonly #done: string[] = [];
  /** The last text of each formula, for renames. */
  readonly #formulas = new Map<string, InstallableFormula>();
  /** Every text so far. A quarantine is about a text, whatever its name is. */
  readonly #texts: {name: string; hash: string; reads: readonly string[]}[] = [];
  #extra: 'absent' | 'present' | 'changing' = 'absent';

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#rollsOff = this.#chance(0.25);
    this.#hasCircles = this.#chance(0.3);
    this.#session = new HostSession(this.#rollsOff ? 20 + this.#below(60) : 100_000);
  }

  async run(): Promise<void> {
    for (const source of sources)
      this.#session.apply({source, report: {state: 'synced', synced: this.#chance(0.8)}});
    const restarts = 1 + this.#below(3);
    for (let n = 0; n < restarts; n++) {
      const steps = 4 + this.#below(12);
      const killAt = this.#below(steps);
      for (let step = 0; step < steps; step++) {
        if (step === killAt) this.#session.killAfter(this.#below(30));
        await this.#step();
        if (this.#chance(0.5)) await nextTurn();
      }
      if (this.#chance(0.5)) await this.#session.settle();
      await this.#restart();
    }
  }

  async #restart(): Promise<void> {
    const old = this.#session.process;
    old.isAlive = false;
    const newest = this.#session.newest;
    // A moment shows collections that no batch has seen only while it is the newest.
    await old.addBatch();
    const before = await momentsOf(old, newest);
    this.kills += 1;
    const blames = this.#chance(0.1);
    const culprit = blames ? this.#session.running : undefined;
    this.#done.push(blames ? `kill, blame ${culprit}` : 'kill');
    const lost = this.#withReaders([...(culprit === undefined ? [] : [culprit]), ...this.#circles()]);
    this.#session.restart(blames);
    await this.#session.settle();
    for (const fault of this.#session.faults.splice(0)) this.#report(`fault: ${fault}`);
    const after = await momentsOf(this.#session.process, newest);
    const byMoment = new Map(after.map(one => [one.at, one.rows]));
    const {oldest} = await this.#session.process.ask<RetainedHistory>({ask: 'kept'});
    for (const {at, rows} of before) {
      // The runs of the restart roll further moments off.
      if (this.#rollsOff && at < oldest) continue;
      this.moments += 1;
      const found = byMoment.get(at);
      if (found === undefined) this.#report(`moment ${at} is lost`);
      else for (const one of differencesOf(rows, found, lost)) this.#report(`moment ${at}: ${one}`);
    }
  }

  #report(problem: string): void {
    if (this.problems.length < 3)
      this.problems.push(`${problem}\n    after ${this.#done.slice(-14).join('; ')}`);
  }

  async #step(): Promise<void> {
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
    this.#texts.push({...formula, name: to});
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
    this.#done.push(`${change.event} ${collection}/${key}`);
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
    this.#texts.push({name: group, hash: group, reads: [grouped]});
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
    this.#texts.push(formula);
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
    this.#texts.push({name: 'ModuleRows', hash, reads: [source, MODULE]});
    for (const name of ['ModuleSums', 'ModuleMap', 'ModuleJoin', 'ModuleGroups'])
      this.#texts.push({name, hash, reads: ['ModuleRows']});
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
    this.#done.push(text);
    return this.#session.command(command);
  }

  /** Collections that read themselves. Which of a circle fails depends on the order in which they run. */
  #circles(): string[] {
    const names = new Set(this.#texts.map(({name}) => name));
    return [...names].filter(name => {
      const found = new Set<string>();
      for (let pending = [name]; pending.length > 0; ) {
        const next = pending.pop();
        for (const text of this.#texts)
          if (text.name === next)
            for (const read of text.reads)
              if (!found.has(read)) {
                found.add(read);
                pending.push(read);
              }
      }
      return found.has(name);
    });
  }

  /** The collections whose rows a restart may lose: those of the same text, and all that read them. */
  #withReaders(named: readonly string[]): string[] {
    const found = new Set(named);
    const hashes = new Set(this.#texts.filter(({name}) => found.has(name)).map(({hash}) => hash));
    for (const text of this.#texts) if (hashes.has(text.hash)) found.add(text.name);
    for (let size = 0; size < found.size; ) {
      size = found.size;
      for (const {name: reader, reads} of this.#texts)
        if (reads.some(one => found.has(one))) found.add(reader);
    }
    return [...found];
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

async function momentsOf(process: HostProcess, newest: number): Promise<MomentRows[]> {
  const kept = await process.ask<RetainedHistory>({ask: 'kept'});
  const moments: MomentRows[] = [];
  for (let at = kept.oldest; at <= newest; at++) {
    const rows = new Map<string, string>();
    const graph = await process.ask<Graph>({ask: 'graph', at});
    for (const {name} of graph.collections) {
      const {items} = await process.ask<Items>({ask: 'items', collection: name, at, limit: 1000});
      rows.set(name, '');
      for (const {key, value} of items) rows.set(`${name}/${key}`, stableTextOf(value));
    }
    moments.push({at, rows});
  }
  return moments;
}

/** `lost`: collections whose last rows may be lost. */
function* differencesOf(
  before: Map<string, string>,
  after: Map<string, string>,
  lost: readonly string[],
): Iterable<string> {
  for (const [row, value] of before) {
    const found = after.get(row);
    // The last rows of a quarantined formula are lost with its process, and say so.
    if (found?.startsWith('"(lost') && lost.includes(row.slice(0, row.indexOf('/')))) continue;
    if (found === undefined) yield `${row} is missing, it was ${value}`;
    else if (found !== value) yield `${row} is ${found}, it was ${value}`;
  }
  for (const [row, value] of after) if (!before.has(row)) yield `${row} was not there: ${value}`;
}

/** Resolves to the restarts, the compared moments, and the rounds with a difference. */
export async function runRounds(first: number, count: number): Promise<[number, number, number]> {
  // The worker that compiles formulas does not keep the process alive.
  const alive = setInterval(() => {}, 1000);
  let [kills, moments, lost] = [0, 0, 0];
  for (let seed = first; seed < first + count; seed++) {
    const round = new RecordingRound(seed);
    await round.run();
    kills += round.kills;
    moments += round.moments;
    if (round.problems.length === 0) continue;
    lost += 1;
    process.stdout.write(`seed ${seed}:\n${round.problems.map(one => `  ${one}\n`).join('')}`);
  }
  clearInterval(alive);
  return [kills, moments, lost];
}
