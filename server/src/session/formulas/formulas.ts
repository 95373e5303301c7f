// A session's formulas as http/ sees them: drafts are tried in its lab process, which is started when first needed; what
// is kept is keeper.ts's, or what a recording was made with.
import type {
  Formula,
  FormulaChange,
  FormulaRequest,
  ModuleState,
  Preview,
  PreviewRequest,
} from '@krtscope/shared/formulas.ts';
import type {Formulas} from '../../engine/link/formulas.ts';
import {EngineFailure, type EngineLink} from '../../engine/link/link.ts';
import {Lab, type RowSource} from '../../engine/supervisor/lab.ts';
import type {Keeper} from './keeper.ts';
import type {Modules} from './modules.ts';
import {preview} from './preview.ts';
import {recordedFormulas, recordedModules} from './recorded.ts';
import {unknownFormula} from './refusals.ts';

export class SessionFormulas implements Formulas {
  readonly #lab: Lab;
  readonly #keeper: Keeper | undefined;
  readonly #modules: Modules | undefined;
  readonly #link: EngineLink;

  /** `keep`: absent where nothing can be kept. */
  constructor(link: EngineLink, rows: RowSource, keep?: (lab: Lab) => {keeper: Keeper; modules: Modules}) {
    this.#link = link;
    this.#lab = new Lab(rows);
    const {keeper, modules} = keep?.(this.#lab) ?? {};
    this.#keeper = keeper;
    this.#modules = modules;
    keeper?.start();
    modules?.start();
  }

  preview(request: PreviewRequest): Promise<Preview> {
    return preview(this.#lab, request);
  }

  async list(at?: number): Promise<Formula[]> {
    return this.#keeper === undefined || at !== undefined
      ? recordedFormulas(this.#link, at)
      : this.#keeper.list();
  }

  async modules(at?: number): Promise<ModuleState[]> {
    return this.#modules === undefined || at !== undefined
      ? recordedModules(this.#link, at)
      : this.#modules.list();
  }

  async get(name: string): Promise<Formula> {
    if (this.#keeper !== undefined) return this.#keeper.get(name);
    const found = (await recordedFormulas(this.#link)).find(one => one.name === name);
    if (found === undefined) throw unknownFormula(name);
    return found;
  }

  async create(request: FormulaRequest): Promise<Formula> {
    return this.#kept().create(request);
  }

  async change(name: string, change: FormulaChange): Promise<Formula> {
    return this.#kept().change(name, change);
  }

  async remove(name: string): Promise<void> {
    return this.#kept().remove(name);
  }

  async stop(): Promise<void> {
    this.#keeper?.close();
    this.#modules?.close();
    await this.#lab.stop();
  }

  #kept(): Keeper {
    if (this.#keeper !== undefined) return this.#keeper;
    throw new EngineFailure({
      code: 'not-kept-here',
      message: 'a recording is as it was: formulas can be tried on it, not kept in it',
      hint: 'open a cluster or the demo to keep one',
    });
  }
}
