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
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {EngineFailure, type EngineLink} from '../../engine/link/engine-link.ts';
import type {FormulaApi} from '../../engine/link/formula-api.ts';
import {LabPool} from '../../engine/supervisor/lab-pool.ts';
import type {LabRowSource} from '../../engine/supervisor/lab-process.ts';
import {unknownFormulaFailure} from './api-failures.ts';
import type {GraphModuleWatcher} from './modules/graph-module-watcher.ts';
import {listRecordedFormulas, listRecordedModules} from './recorded-formulas.ts';
import type {SavedFormulaService} from './saved-formula-service.ts';
import {type DraftPreparation, previewDraft} from './trial/preview.ts';

/** What a session that can save formulas brings. */
export interface FormulaStorageParts {
  service: SavedFormulaService;
  modules: GraphModuleWatcher;
  prepare: DraftPreparation;
}

export class SessionFormulas implements FormulaApi {
  readonly #lab: LabPool;
  readonly #service: SavedFormulaService | undefined;
  readonly #modules: GraphModuleWatcher | undefined;
  readonly #link: EngineLink;
  readonly #prepare: DraftPreparation;

  /** `keep` is absent where formulas cannot be saved. */
  constructor(link: EngineLink, rows: LabRowSource, keep?: (lab: LabPool) => FormulaStorageParts) {
    this.#link = link;
    this.#lab = new LabPool(rows);
    const {service, modules, prepare = {}} = keep?.(this.#lab) ?? {};
    this.#prepare = prepare;
    this.#service = service;
    this.#modules = modules;
    service?.start();
    modules?.start();
  }

  preview(request: PreviewRequest, signal?: AbortSignal): Promise<Preview> {
    return previewDraft(this.#lab, request, this.#prepare, signal);
  }

  async list(at?: number): Promise<SavedFormula[]> {
    return this.#service === undefined || at !== undefined
      ? listRecordedFormulas(this.#link, at)
      : this.#service.list();
  }

  async modules(at?: number): Promise<ModuleState[]> {
    if (this.#modules === undefined || at !== undefined) return listRecordedModules(this.#link, at);
    const {helpers} = this.#prepare;
    const states = [...(helpers?.state === undefined ? [] : [helpers.state]), ...this.#modules.list()];
    if (states.length === 0) return states;
    const {collections} = (await this.#link.ask({ask: 'graph'})) as Graph;
    return states.map(state => withRowTrouble(state, collections));
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
      message:
        'formulas can be previewed here, but not saved: this is a recording, or a program that reports its own graph',
      hint: 'open a cluster or the demo, or attach to a program, to save one',
    });
  }
}

/** A module whose rows fail, or that was quarantined since its build, says so with the first collection's reason. */
function withRowTrouble(module: ModuleState, nodes: readonly CollectionNode[]): ModuleState {
  if (module.state === 'quarantined') return module;
  const own = nodes.filter(({module: file}) => file === module.name);
  const wrong = own.find(({state}) => state === 'quarantined') ?? own.find(({failed}) => failed > 0);
  if (wrong === undefined) return module;
  if (wrong.state === 'quarantined') return {...module, state: 'quarantined', error: wrong.error};
  if (module.state === 'failing') return module;
  const {message = `${wrong.failed} of its rows fail`, ...place} = wrong.error ?? {};
  return {...module, state: 'failing', error: {...place, message: `${wrong.name}: ${message}`}};
}
