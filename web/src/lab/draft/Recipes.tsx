// Example formulas. An example adds the sources that it needs.
import type {ModuleState, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Recipe} from '@krtscope/shared/recipes/recipe.ts';
import {recipes} from '@krtscope/shared/recipes/recipes.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {LabDialog} from '../LabDialog.tsx';
import {missingSources} from './recipe-sources.ts';
import './recipes.css';

const featuredRecipes = ['PodsWithoutService', 'ServicesWithoutEndpoints', 'SharedServiceAccounts'];

export function RecipesDialog({
  graph,
  onPick,
  onClose,
}: {
  graph: Graph | null;
  onPick: (recipe: Recipe) => void;
  onClose: () => void;
}) {
  return (
    <LabDialog label="Examples" onClose={onClose}>
      <h2 className="save-title">Examples that run on this cluster</h2>
      <RecipeList graph={graph} list={recipes} onPick={onPick} />
      <div className="save-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </LabDialog>
  );
}

function RecipeList({
  graph,
  list,
  onPick,
}: {
  graph: Graph | null;
  list: readonly Recipe[];
  onPick: (recipe: Recipe) => void;
}) {
  const nodes = new Map((graph?.collections ?? []).map(node => [node.name, node]));
  return (
    <ul className="recipes">
      {list.map(recipe => {
        const node = recipe.input === undefined ? undefined : nodes.get(recipe.input);
        const missing = missingSources(recipe, graph);
        return (
          <li key={recipe.name}>
            <button type="button" className="recipe column" onClick={() => onPick(recipe)}>
              <span className="recipe-title row gap-6">
                <KindShape kind={recipe.kind === 'one' ? 'derived' : recipe.kind} size={14} /> {recipe.title}
              </span>
              <span className="recipe-words">{recipe.words}</span>
              <span className="recipe-over">
                {missing.length > 0 ? (
                  <>
                    <Icon name="plus" size={12} /> adds {missing.length === 1 ? 'source' : 'sources'}{' '}
                    {missing.map(one => one.split('.')[0]).join(', ')}
                  </>
                ) : recipe.input === undefined ? (
                  'one value'
                ) : (
                  `for each of ${(node?.size ?? 0).toLocaleString('en')} ${recipe.input}`
                )}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The Lab without a draft: three examples, the saved formulas, and how to start. */
export function LabEmpty({
  graph,
  formulas,
  modules,
  canAdd,
  onPick,
  onOpen,
  onModule,
  onAll,
  onNew,
  onSource,
}: {
  graph: Graph | null;
  /** Saved formulas, or the formulas of a recording. */
  formulas: readonly SavedFormula[];
  modules: readonly ModuleState[];
  canAdd: boolean;
  onModule: (name: string) => void;
  onOpen: (formula: SavedFormula) => void;
  onPick: (recipe: Recipe) => void;
  onAll: () => void;
  onNew: () => void;
  onSource: () => void;
}) {
  return (
    <div className="lab-empty column">
      <h1 className="lab-empty-title row gap-10">
        <Icon name="lab" size={20} /> Try a formula on live data
      </h1>
      <p className="lab-empty-words">
        A formula turns each item of a collection into a row. It can fetch from other collections, and runs on
        live data while you type. It never writes to the cluster.
      </p>
      <RecipeList
        graph={graph}
        list={featuredRecipes.flatMap(name => recipes.filter(recipe => recipe.name === name))}
        onPick={onPick}
      />
      {formulas.length + modules.length > 0 ? (
        <section className="column gap-8" aria-label="Formulas">
          <h2 className="label">{canAdd ? 'Saved formulas' : 'In this recording'}</h2>
          <ul className="lab-empty-formulas plain-list">
            {formulas.map(formula => (
              <li key={formula.name}>
                <Button onClick={() => onOpen(formula)}>
                  <KindShape kind={formula.kind === 'one' ? 'derived' : formula.kind} size={14} />{' '}
                  {formula.name}
                </Button>
              </li>
            ))}
            {modules.map(({name}) => (
              <li key={name}>
                <Button icon="file" onClick={() => onModule(name)}>
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <div className="lab-empty-actions">
        <Button look="primary" icon="plus" keys="+" onClick={onNew}>
          New draft
        </Button>
        <Button onClick={onAll}>All {recipes.length} examples</Button>
        {canAdd ? (
          <Button look="ghost" onClick={onSource}>
            Add a source
          </Button>
        ) : null}
      </div>
    </div>
  );
}
