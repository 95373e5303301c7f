// The graph modules of a folder: every `*.graph.ts` in it, compiled with what it imports, tried in the lab process, told to
// the engine process; and again when any of its files changes.
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {ModuleState} from '@krtscope/shared/formulas.ts';
import type {CommandAnswer, InstallableModule} from '../../../engine/link/commands.ts';
import type {EngineFailure} from '../../../engine/link/engine-link.ts';
import {type CompiledModule, compileModule, ModuleError} from '../../../formula/compile/module-compiler.ts';
import type {FormulaContext} from '../formula-context.ts';
import {fileSignature, readPlainFile} from '../stores/plain-file.ts';
import {waitForInitialRows} from '../trial/initial-rows.ts';
import {runModuleTrial} from './module-trial.ts';

const LOOK_MS = 400;
/** A source that the cluster does not have yet is asked for again. */
const AGAIN_MS = 3000;

interface WatchedModule {
  /** The files that it was made from, and what told them apart from others. */
  readonly signatures: ReadonlyMap<string, string>;
  readonly state: ModuleState;
  /** The last one that the engine process could build. */
  readonly good?: InstallableModule;
  /** It needs a source: when to try again. */
  readonly again?: number;
}

interface BuiltModule {
  readonly order: InstallableModule;
  readonly answer: CommandAnswer<'put-module'>;
  readonly waits: boolean;
}

export type ModuleWatcherContext = Pick<FormulaContext, 'engine' | 'lab' | 'quarantine' | 'log'> & {
  /** Resolves with the collection's name, also when it is a source already. */
  addSource(resource: string): Promise<string>;
};

export class GraphModuleWatcher {
  readonly #folder: string;
  readonly #context: ModuleWatcherContext;
  readonly #modules = new Map<string, WatchedModule>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(folder: string, ground: ModuleWatcherContext) {
    this.#folder = folder;
    this.#context = ground;
    ground.engine.onQuarantine(({name, hash}, message) => {
      const known = this.#modules.get(name);
      if (known === undefined) return;
      ground.quarantine.lock(hash, name, message);
      // A repeat of an earlier build says nothing of the one that runs.
      if (known.good?.hash !== hash) return;
      const state = {...known.state, collections: [], state: 'quarantined' as const, error: {message}};
      this.#modules.set(name, {signatures: known.signatures, state});
    });
  }

  start(): void {
    void this.#waitForRows()
      .then(() => this.#scan())
      .finally(() => this.#scheduleScan());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  list(): ModuleState[] {
    return [...this.#modules.values()].map(({state}) => state).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #scheduleScan(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#scan().finally(() => this.#scheduleScan()), LOOK_MS);
    this.#timer.unref();
  }

  async #waitForRows(): Promise<void> {
    if ((await this.#names()).length > 0) await waitForInitialRows(this.#context.engine, () => this.#closed);
  }

  async #names(): Promise<string[]> {
    const files = await readdir(this.#folder).catch(() => []);
    return files.filter(file => file.endsWith('.graph.ts') && !file.startsWith('.')).sort();
  }

  async #scan(): Promise<void> {
    try {
      const names = await this.#names();
      for (const name of [...this.#modules.keys()]) {
        if (names.includes(name)) continue;
        this.#modules.delete(name);
        await this.#context.engine.command({command: 'drop-module', name});
      }
      for (const name of names) if (await this.#hasChanged(name)) await this.#rebuild(name);
    } catch (error) {
      // The engine process is away: the next look tells it.
      if (!this.#closed && (error as EngineFailure).code !== 'engine-restarting')
        this.#context.log(`the graph modules in ${this.#folder}: ${(error as Error).message}`);
    }
  }

  async #hasChanged(name: string): Promise<boolean> {
    const known = this.#modules.get(name);
    if (known === undefined || (known.again !== undefined && Date.now() > known.again)) return true;
    for (const [path, sign] of known.signatures) if ((await this.#signatureOf(path)) !== sign) return true;
    return false;
  }

  async #rebuild(name: string): Promise<void> {
    const before = this.#modules.get(name);
    const read = await this.#read(name);
    const {good} = before ?? {};
    const tried =
      read.order.trouble === undefined && read.order.hash !== good?.hash
        ? await this.#tryModule(read.order)
        : {order: read.order, waits: false};
    const {order, answer, waits} = await this.#sendOrder(tried.order, good);
    const state: ModuleState = {
      name,
      state: answer.trouble?.state ?? 'live',
      collections: answer.collections,
      ...(answer.trouble === undefined ? {} : {error: answer.trouble.error}),
    };
    const again = waits || tried.waits ? {again: Date.now() + AGAIN_MS} : {};
    const last = answer.trouble === undefined ? order : good;
    this.#modules.set(name, {
      signatures: read.signs,
      state,
      ...(last === undefined ? {} : {good: last}),
      ...again,
    });
    if (state.error !== undefined && state.error.message !== before?.state.error?.message)
      this.#context.log(`${join(this.#folder, name)} is ${state.state}: ${state.error.message}`);
  }

  async #read(name: string): Promise<{order: InstallableModule; signs: ReadonlyMap<string, string>}> {
    const signs = new Map<string, string>();
    const texts = new Map<string, string>();
    const nothing = {name, hash: '', files: [], sources: {}};
    try {
      const compiled = await compileModule(name, async path => {
        signs.set(path, await this.#signatureOf(path));
        const text = await readPlainFile(join(this.#folder, path)).catch(() => undefined);
        if (text !== undefined) texts.set(path, text);
        return text;
      });
      const {hash} = compiled;
      const files = compiled.files.map(({path}) => ({path, code: texts.get(path) ?? ''}));
      const locked = this.#context.quarantine.reason(hash);
      const trouble = locked && {trouble: {state: 'quarantined' as const, error: {message: locked}}};
      return {order: {name, hash, compiled, files, sources: {}, ...trouble}, signs};
    } catch (error) {
      if (!(error instanceof ModuleError)) throw error;
      const [place] = error.problems;
      const where = place === undefined ? {} : {line: place.line, column: place.column};
      return {
        order: {...nothing, trouble: {state: 'failing', error: {message: error.message, ...where}}},
        signs,
      };
    }
  }

  /** What ends the lab process is locked away: it is not tried again before it is another text. */
  async #tryModule(order: InstallableModule): Promise<{order: InstallableModule; waits: boolean}> {
    const {lab, quarantine, addSource} = this.#context;
    const {
      sources,
      trouble,
      waits = false,
    } = await runModuleTrial(lab, order.name, order.compiled as CompiledModule, addSource);
    if (trouble?.state === 'quarantined') quarantine.lock(order.hash, order.name, trouble.error.message);
    return {order: {...order, sources, ...(trouble === undefined ? {} : {trouble})}, waits};
  }

  /** Tells it, and once more for every source that it finds missing on the way; what ran before goes on if it cannot. */
  async #sendOrder(wanted: InstallableModule, good: InstallableModule | undefined): Promise<BuiltModule> {
    const {engine, addSource} = this.#context;
    const instead = async (trouble: InstallableModule['trouble']): Promise<CommandAnswer<'put-module'>> => {
      const {compiled: _, ...bare} = wanted;
      const module =
        good === undefined ? {...bare, trouble} : {...good, trouble: {...trouble, state: 'failing' as const}};
      return engine.command({command: 'put-module', module: module as InstallableModule});
    };
    if (wanted.trouble !== undefined)
      return {order: wanted, answer: await instead(wanted.trouble), waits: false};
    let order = wanted;
    for (;;) {
      const answer = await engine.command({command: 'put-module', module: order});
      const {needs, trouble} = answer;
      if (needs === undefined || Object.hasOwn(order.sources, needs)) {
        // Its next process is to have what this one still runs.
        const stays = trouble !== undefined && good !== undefined;
        return {
          order,
          answer: stays ? await instead(trouble) : answer,
          waits: needs !== undefined || isWaiting(trouble),
        };
      }
      try {
        order = {...order, sources: {...order.sources, [needs]: await addSource(needs)}};
      } catch (error) {
        const message = `waits for ${needs}: ${(error as Error).message}`;
        return {order, answer: {...answer, trouble: {state: 'failing', error: {message}}}, waits: true};
      }
    }
  }

  #signatureOf(path: string): Promise<string> {
    return fileSignature(join(this.#folder, path));
  }
}

/** What it waits for may come without any file being written. */
function isWaiting(trouble: InstallableModule['trouble']): boolean {
  return trouble?.error.message.startsWith('waits for ') ?? false;
}
