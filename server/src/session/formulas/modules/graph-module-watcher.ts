// Watches the graph modules (`*.graph.ts`) of a folder. Compiles each with its imports, tries it in a lab process, and
// sends it to the engine process. Repeats that when one of its files changes.
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

const SCAN_MS = 400;
/** Interval between requests for a source that the cluster does not have yet. */
const SOURCE_RETRY_MS = 3000;

interface WatchedModule {
  /** Its files, with the signature that detects changes. */
  readonly signatures: ReadonlyMap<string, string>;
  readonly state: ModuleState;
  /** The last version that the engine process could build. */
  readonly lastGood?: InstallableModule;
  /** When to try again, if it needs a source. */
  readonly retryAt?: number;
}

interface BuiltModule {
  readonly order: InstallableModule;
  readonly answer: CommandAnswer<'put-module'>;
  readonly waits: boolean;
}

export type ModuleWatcherContext = Pick<FormulaContext, 'engine' | 'lab' | 'quarantine' | 'log'> & {
  /** Resolves with the collection's name, also if the source exists already. */
  addSource(resource: string): Promise<string>;
};

export class GraphModuleWatcher {
  readonly #folder: string;
  readonly #context: ModuleWatcherContext;
  readonly #modules = new Map<string, WatchedModule>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(folder: string, context: ModuleWatcherContext) {
    this.#folder = folder;
    this.#context = context;
    context.engine.onQuarantine(({name, hash}, message) => {
      const watched = this.#modules.get(name);
      if (watched === undefined) return;
      context.quarantine.lock(hash, name, message);
      // A rerun of an earlier build says nothing about the running one.
      if (watched.lastGood?.hash !== hash) return;
      const state = {...watched.state, collections: [], state: 'quarantined' as const, error: {message}};
      this.#modules.set(name, {signatures: watched.signatures, state});
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
    this.#timer = setTimeout(() => void this.#scan().finally(() => this.#scheduleScan()), SCAN_MS);
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
      // The engine process may be away. The next scan tries again.
      if (!this.#closed && (error as EngineFailure).code !== 'engine-restarting')
        this.#context.log(`the graph modules in ${this.#folder}: ${(error as Error).message}`);
    }
  }

  async #hasChanged(name: string): Promise<boolean> {
    const watched = this.#modules.get(name);
    if (watched === undefined || (watched.retryAt !== undefined && performance.now() > watched.retryAt))
      return true;
    for (const [path, signature] of watched.signatures)
      if ((await this.#signatureOf(path)) !== signature) return true;
    return false;
  }

  async #rebuild(name: string): Promise<void> {
    const previous = this.#modules.get(name);
    const read = await this.#read(name);
    const {lastGood} = previous ?? {};
    const tried =
      read.order.trouble === undefined && read.order.hash !== lastGood?.hash
        ? await this.#tryModule(read.order)
        : {order: read.order, waits: false};
    const {order, answer, waits} = await this.#sendOrder(tried.order, lastGood);
    const state: ModuleState = {
      name,
      state: answer.trouble?.state ?? 'live',
      collections: answer.collections,
      error: answer.trouble?.error,
    };
    this.#modules.set(name, {
      signatures: read.signatures,
      state,
      lastGood: answer.trouble === undefined ? order : lastGood,
      retryAt: waits || tried.waits ? performance.now() + SOURCE_RETRY_MS : undefined,
    });
    if (state.error !== undefined && state.error.message !== previous?.state.error?.message)
      this.#context.log(`${join(this.#folder, name)} is ${state.state}: ${state.error.message}`);
  }

  async #read(name: string): Promise<{order: InstallableModule; signatures: ReadonlyMap<string, string>}> {
    const signatures = new Map<string, string>();
    const texts = new Map<string, string>();
    const nothing = {name, hash: '', files: [], sources: {}};
    try {
      const compiled = await compileModule(name, async path => {
        signatures.set(path, await this.#signatureOf(path));
        const text = await readPlainFile(join(this.#folder, path)).catch(() => undefined);
        if (text !== undefined) texts.set(path, text);
        return text;
      });
      const {hash} = compiled;
      const files = compiled.files.map(({path}) => ({path, code: texts.get(path) ?? ''}));
      const locked = this.#context.quarantine.reason(hash);
      const trouble = locked && {trouble: {state: 'quarantined' as const, error: {message: locked}}};
      return {order: {name, hash, compiled, files, sources: {}, ...trouble}, signatures};
    } catch (error) {
      if (!(error instanceof ModuleError)) throw error;
      const [place] = error.problems;
      const where = place === undefined ? {} : {line: place.line, column: place.column};
      return {
        order: {...nothing, trouble: {state: 'failing', error: {message: error.message, ...where}}},
        signatures,
      };
    }
  }

  /** Quarantines a module that ends the lab process, until its text changes. */
  async #tryModule(order: InstallableModule): Promise<{order: InstallableModule; waits: boolean}> {
    const {lab, quarantine, addSource} = this.#context;
    const {
      sources,
      trouble,
      waits = false,
    } = await runModuleTrial(lab, order.name, order.compiled as CompiledModule, addSource);
    if (trouble?.state === 'quarantined') quarantine.lock(order.hash, order.name, trouble.error.message);
    return {order: {...order, sources, trouble}, waits};
  }

  /** Sends the module, and again for each missing source. The previous version continues if this one fails. */
  async #sendOrder(
    requested: InstallableModule,
    lastGood: InstallableModule | undefined,
  ): Promise<BuiltModule> {
    const {engine, addSource} = this.#context;
    const sendFallback = async (
      trouble: InstallableModule['trouble'],
    ): Promise<CommandAnswer<'put-module'>> => {
      const {compiled: _, ...bare} = requested;
      const module =
        lastGood === undefined
          ? {...bare, trouble}
          : {...lastGood, trouble: {...trouble, state: 'failing' as const}};
      return engine.command({command: 'put-module', module: module as InstallableModule});
    };
    if (requested.trouble !== undefined)
      return {order: requested, answer: await sendFallback(requested.trouble), waits: false};
    let order = requested;
    for (;;) {
      const answer = await engine.command({command: 'put-module', module: order});
      const {needs, trouble} = answer;
      if (needs === undefined || Object.hasOwn(order.sources, needs)) {
        // The next engine process must get the version that this one still runs.
        const keepsPrevious = trouble !== undefined && lastGood !== undefined;
        return {
          order,
          answer: keepsPrevious ? await sendFallback(trouble) : answer,
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

/** The awaited collection may come without a file change. */
function isWaiting(trouble: InstallableModule['trouble']): boolean {
  return trouble?.error.message.startsWith('waits for ') ?? false;
}
