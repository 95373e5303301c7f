// The graph modules of a folder: every `*.graph.ts` in it, compiled with what it imports, told to the engine process, and
// told again when any of its files changes.
import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {ModuleState} from '@krtscope/shared/formulas.ts';
import type {ModuleOrder} from '../../engine/link/commands.ts';
import type {EngineFailure} from '../../engine/link/link.ts';
import {type CompiledModule, compileModule, ModuleError} from '../../formula/compile/module.ts';
import type {Ground} from './keeper.ts';

const LOOK_MS = 400;
/** A source that the cluster does not have yet is asked for again. */
const AGAIN_MS = 3000;

interface Known {
  /** The files that it was made from, and what told them apart from others. */
  readonly signs: ReadonlyMap<string, string>;
  readonly state: ModuleState;
  /** It needs a source: when to try again. */
  readonly again?: number;
}

export type ModuleGround = Pick<Ground, 'engine' | 'quarantine' | 'log'> & {
  /** Resolves with the collection's name, also when it is a source already. */
  addSource(resource: string): Promise<string>;
};

export class Modules {
  readonly #folder: string;
  readonly #ground: ModuleGround;
  readonly #known = new Map<string, Known>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(folder: string, ground: ModuleGround) {
    this.#folder = folder;
    this.#ground = ground;
    ground.engine.onQuarantine(({name, hash}, message) => {
      const known = this.#known.get(name);
      if (known === undefined) return;
      ground.quarantine.lock(hash, name, message);
      const state = {...known.state, collections: [], state: 'quarantined' as const, error: {message}};
      this.#known.set(name, {...known, state});
    });
  }

  start(): void {
    void this.#look().finally(() => this.#again());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  list(): ModuleState[] {
    return [...this.#known.values()].map(({state}) => state).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #again(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#again()), LOOK_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    try {
      const files = await readdir(this.#folder).catch(() => []);
      const names = files.filter(file => file.endsWith('.graph.ts') && !file.startsWith('.')).sort();
      for (const name of [...this.#known.keys()]) {
        if (names.includes(name)) continue;
        this.#known.delete(name);
        await this.#ground.engine.command({command: 'drop-module', name});
      }
      for (const name of names) if (await this.#isOther(name)) await this.#take(name);
    } catch (error) {
      // The engine process is away: the next look tells it.
      if ((error as EngineFailure).code !== 'engine-restarting')
        this.#ground.log(`the graph modules in ${this.#folder}: ${(error as Error).message}`);
    }
  }

  async #isOther(name: string): Promise<boolean> {
    const known = this.#known.get(name);
    if (known === undefined || (known.again !== undefined && Date.now() > known.again)) return true;
    for (const [path, sign] of known.signs) if ((await this.#signOf(path)) !== sign) return true;
    return false;
  }

  async #take(name: string): Promise<void> {
    const {quarantine, log} = this.#ground;
    const signs = new Map<string, string>();
    const texts = new Map<string, string>();
    let compiled: CompiledModule | undefined;
    let trouble: ModuleOrder['trouble'];
    try {
      compiled = await compileModule(name, async path => {
        signs.set(path, await this.#signOf(path));
        const text = await readFile(join(this.#folder, path), 'utf8').catch(() => undefined);
        if (text !== undefined) texts.set(path, text);
        return text;
      });
      const locked = quarantine.reason(compiled.hash);
      if (locked !== undefined) trouble = {state: 'quarantined', error: {message: locked}};
    } catch (error) {
      if (!(error instanceof ModuleError)) throw error;
      const [place] = error.problems;
      const where = place === undefined ? {} : {line: place.line, column: place.column};
      trouble = {state: 'failing', error: {message: error.message, ...where}};
    }
    const before = this.#known.get(name)?.state;
    const answer = await this.#tell(name, compiled, texts, trouble);
    const state: ModuleState = {
      name,
      state: answer.trouble?.state ?? 'live',
      collections: answer.collections,
      ...(answer.trouble === undefined ? {} : {error: answer.trouble.error}),
    };
    const again = answer.needs === undefined ? {} : {again: Date.now() + AGAIN_MS};
    this.#known.set(name, {signs, state, ...again});
    if (state.error !== undefined && state.error.message !== before?.error?.message)
      log(`${join(this.#folder, name)} is ${state.state}: ${state.error.message}`);
  }

  /** Tells it, and once more for every source that it finds missing on the way. */
  async #tell(
    name: string,
    compiled: CompiledModule | undefined,
    texts: ReadonlyMap<string, string>,
    trouble: ModuleOrder['trouble'],
  ) {
    const {engine, addSource} = this.#ground;
    const sources: Record<string, string> = {};
    for (;;) {
      const module: ModuleOrder = {
        name,
        hash: compiled?.hash ?? '',
        files: (compiled?.files ?? []).map(({path}) => ({path, code: texts.get(path) ?? ''})),
        sources: {...sources},
        ...(compiled === undefined ? {} : {compiled}),
        ...(trouble === undefined ? {} : {trouble}),
      };
      const answer = await engine.command({command: 'put-module', module});
      const {needs} = answer;
      if (needs === undefined || Object.hasOwn(sources, needs)) return answer;
      try {
        sources[needs] = await addSource(needs);
      } catch (error) {
        const message = `waits for ${needs}: ${(error as Error).message}`;
        return {...answer, trouble: {state: 'failing' as const, error: {message}}};
      }
    }
  }

  async #signOf(path: string): Promise<string> {
    try {
      const {mtimeMs, size, ino} = await stat(join(this.#folder, path));
      return `${mtimeMs} ${size} ${ino}`;
    } catch {
      return 'gone';
    }
  }
}
