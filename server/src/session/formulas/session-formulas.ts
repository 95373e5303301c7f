// A session's formulas as http/ sees them: drafts run in lab processes, saved formulas belong to SavedFormulaService. A
// recording shows the formulas it was made with.
import type {
  FormulaChange,
  FormulaRequest,
  ModuleState,
  Preview,
  PreviewRequest,
  SavedFormula,
} from '@krtscope/shared/formulas.ts';
import {EngineFailure, type EngineLink} from '../../engine/link/engine-link.ts';
import type {FormulaApi} from '../../engine/link/formula-api.ts';
import {LabPool} from '../../engine/supervisor/lab-pool.ts';
import type {LabRowSource} from '../../engine/supervisor/lab-process.ts';
import {unknownFormulaFailure} from './api-failures.ts';
import type {GraphModuleWatcher} from './modules/graph-module-watcher.ts';
import {listRecordedFormulas, listRecordedModules} from './recorded-formulas.ts';
import type {SavedFormulaService} from './saved-formula-service.ts';
import {previewDraft} from './trial/preview.ts';

export class SessionFormulas implements FormulaApi {
  readonly #lab: LabPool;
  readonly #service: SavedFormulaService | undefined;
  readonly #modules: GraphModuleWatcher | undefined;
  readonly #link: EngineLink;

  /** `keep` is absent where formulas cannot be saved. */
  constructor(
    link: EngineLink,
    rows: LabRowSource,
    keep?: (lab: LabPool) => {service: SavedFormulaService; modules: GraphModuleWatcher},
  ) {
    this.#link = link;
    this.#lab = new LabPool(rows);
    const {service, modules} = keep?.(this.#lab) ?? {};
    this.#service = service;
    this.#modules = modules;
    service?.start();
    modules?.start();
  }

  preview(request: PreviewRequest, signal?: AbortSignal): Promise<Preview> {
    return previewDraft(this.#lab, request, signal);
  }

  async list(at?: number): Promise<SavedFormula[]> {
    return this.#service === undefined || at !== undefined
      ? listRecordedFormulas(this.#link, at)
      : this.#service.list();
  }

  async modules(at?: number): Promise<ModuleState[]> {
    return this.#modules === undefined || at !== undefined
      ? listRecordedModules(this.#link, at)
      : this.#modules.list();
  }

  async get(name: string): Promise<SavedFormula> {
    if (this.#service !== undefined) return this.#service.get(name);
    const found = (await listRecordedFormulas(this.#link)).find(one => one.name === name);
    if (found === undefined) throw unknownFormulaFailure(name);
    return found;
  }

  async create(request: FormulaRequest): Promise<SavedFormula> {
    return this.#requireService().create(request);
  }

  async change(name: string, change: FormulaChange): Promise<SavedFormula> {
    return this.#requireService().change(name, change);
  }

  async remove(name: string): Promise<void> {
    return this.#requireService().remove(name);
  }

  async stop(): Promise<void> {
    this.#service?.close();
    this.#modules?.close();
    await this.#lab.stop();
  }

  #requireService(): SavedFormulaService {
    if (this.#service !== undefined) return this.#service;
    throw new EngineFailure({
      code: 'not-kept-here',
      message: 'a recording cannot be changed: formulas can be previewed, but not saved',
      hint: 'open a cluster or the demo to save one',
    });
  }
}
