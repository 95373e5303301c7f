// The formulas and graph modules of a recording, to show their texts. They are never run.
import type {ModuleState, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {InstallableFormula} from '../../engine/link/commands.ts';
import type {EngineLink} from '../../engine/link/engine-link.ts';

export async function listRecordedFormulas(link: EngineLink, at?: number): Promise<SavedFormula[]> {
  const {formulas} = (await link.ask({ask: 'formulas', at})) as {formulas: InstallableFormula[]};
  const {collections} = (await link.ask({ask: 'graph', at})) as Graph;
  const nodes = new Map(collections.map(node => [node.name, node]));
  return formulas
    .map(({name, kind, input, code, hash}) => {
      const node = nodes.get(name);
      const {state, error, size = 0, failed = 0} = node ?? {};
      return {
        name,
        kind,
        input,
        code,
        revision: hash,
        state: state === 'failing' || state === 'quarantined' ? state : ('live' as const),
        items: size,
        failed,
        error,
        checks: [],
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The modules that ran, with all their files. */
export async function listRecordedModules(link: EngineLink, at?: number): Promise<ModuleState[]> {
  const {modules} = (await link.ask({ask: 'formulas', at})) as {
    modules: Pick<Required<ModuleState>, 'name' | 'collections' | 'files'>[];
  };
  return modules.map(({name, collections, files}) => ({name, state: 'live', collections, files}));
}
