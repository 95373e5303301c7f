// How something comes onto the bench: anew, from a recipe, from a saved formula, from a link, or because `+` was pressed.

import type {FormulaKind, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Recipe} from '@krtscope/shared/recipes/recipe.ts';
import {useEffect, useEffectEvent} from 'react';
import {addSource} from '../../app/sources/add-source-request.ts';
import {bestRoot} from '../../sheet/columns/columns.ts';
import {setParams, toast, useApp} from '../../store/app.ts';
import {useParam} from '../../store/navigation.ts';
import {failureText} from '../../stream/failure-text.ts';
import {failureOf} from '../formula-api.ts';
import {savedVersionOf} from '../saved/use-formula-saving.ts';
import type {SharedFormula} from '../share/formula-link.ts';
import {
  chooseDraft,
  discardDraft,
  editDraft,
  openDraft,
  useDraftStore,
  useStoredDrafts,
} from './draft-store.ts';
import {type Draft, formulaSkeleton, freeName, itemParameterName} from './drafts.ts';

export interface DraftActions {
  start: (formula: SharedFormula) => void;
  startNew: () => void;
  startRecipe: (recipe: Recipe) => Promise<void>;
  openFormula: (formula: SavedFormula) => void;
  choose: (draft: Draft) => void;
  throwAway: (draft: Draft) => void;
  changeShape: (change: {kind?: FormulaKind; input?: string}) => void;
  onSourceAdded: (name: string) => void;
}

export function useDraftActions(
  graph: Graph | null,
  formulas: readonly SavedFormula[],
  closeDialog: () => void,
  /** A draft was begun that has nothing in it yet: the next keys are its text. */
  onBegun: (id: string) => void,
  /** Set where formulas are not our own: they are shown before they run. */
  onForeign: ((formula: SharedFormula) => void) | undefined,
): DraftActions {
  useStoredDrafts();
  const selected = useApp(state => state.route.collection);
  const session = useDraftStore(state => state.session);
  const [asked] = useParam('new');
  const [wanted] = useParam('formula');
  const taken = () => [
    ...(graph?.collections ?? []).map(node => node.name),
    ...useDraftStore.getState().drafts.map(draft => draft.name),
  ];
  const isObject = (name: string | undefined) =>
    graph?.collections.find(node => node.name === name)?.resource !== undefined;

  const startNew = (over?: string) => {
    if (graph === null || session === null) {
      // Clicked before the first frame came: it opens as soon as there is something to open it over.
      setParams({new: '1'});
      return;
    }
    const input =
      over ?? (graph.collections.some(node => node.name === selected) ? selected! : bestRoot(graph));
    const name = freeName('Draft', taken());
    const begun = openDraft({
      name,
      kind: 'one',
      code: formulaSkeleton('one', input, isObject(input)),
      ...(input !== undefined && {input}),
    });
    onBegun(begun.id);
    closeDialog();
  };
  const openFormula = (formula: SavedFormula) => {
    if (onForeign !== undefined) {
      const {name, kind, input, code} = formula;
      onForeign({name, kind, code, from: 'recording', ...(input !== undefined && {input})});
      return;
    }
    const held = useDraftStore.getState().drafts.find(draft => draft.of?.name === formula.name);
    if (held) {
      chooseDraft(held.id);
      // Somebody else saved it meanwhile, and nothing was changed here: what is saved is what is shown.
      if (held.of!.revision !== formula.revision && held.code === held.of!.code)
        editDraft(held.id, {code: formula.code, of: savedVersionOf(formula)});
      return;
    }
    const {name, kind, input, code, tests: pins = []} = formula;
    openDraft({name, kind, code, pins, of: savedVersionOf(formula), ...(input !== undefined && {input})});
  };

  const ready = graph !== null && session !== null;
  // Once for each time that the address asks, whatever else has changed by then.
  const onNew = useEffectEvent(() => startNew());
  useEffect(() => {
    if (!ready || asked === null) return;
    onNew();
    setParams({new: null});
  }, [ready, asked]);
  const formula = formulas.find(one => one.name === wanted);
  const onWanted = useEffectEvent(openFormula);
  useEffect(() => {
    if (!ready || !formula) return;
    onWanted(formula);
    setParams({formula: null});
  }, [ready, formula]);

  return {
    start: ({name, kind, input, code, shadow}) => {
      openDraft({
        name: freeName(name, taken()),
        kind,
        code,
        ...(input !== undefined && {input}),
        ...(shadow !== undefined && {shadow}),
      });
    },
    startNew: () => startNew(),
    startRecipe: async recipe => {
      try {
        const have = new Set((graph?.collections ?? []).map(node => node.name));
        if (recipe.input !== undefined && !have.has(recipe.input)) {
          for (const source of recipe.sources ?? []) await ensureSource(source);
        }
        const {kind, input, code} = recipe;
        openDraft({name: freeName(recipe.name, taken()), kind, code, ...(input !== undefined && {input})});
        closeDialog();
      } catch (error) {
        toast(failureText(failureOf(error)), 'error');
      }
    },
    openFormula,
    choose: draft => chooseDraft(draft.id),
    throwAway: draft => discardDraft(draft.id),
    changeShape: change => {
      const draft = useDraftStore.getState().drafts.find(one => one.id === useDraftStore.getState().current);
      if (!draft) return;
      const kind = change.kind ?? draft.kind;
      const input = change.input ?? draft.input ?? (graph ? bestRoot(graph) : undefined);
      // A text that nobody touched is a skeleton: the new shape has its own.
      const untouched = draft.code === formulaSkeleton(draft.kind, draft.input, isObject(draft.input));
      const code = untouched
        ? formulaSkeleton(kind, input, isObject(input))
        : adaptParameters(draft, kind, input);
      editDraft(draft.id, {kind, code, ...(input !== undefined && {input})});
    },
    onSourceAdded: name => {
      closeDialog();
      const draft = useDraftStore.getState().drafts.find(one => one.id === useDraftStore.getState().current);
      if (draft === undefined) startNew(name);
    },
  };
}

/** The parameter follows the input's name only where the code says it once, in its head. */
function adaptParameters(draft: Draft, kind: FormulaKind, input: string | undefined): string {
  if (kind === draft.kind || input === undefined) return draft.code;
  const item = itemParameterName(input);
  if (draft.kind === 'singleton')
    return draft.code.replace(/^(\s*(?:\/\/[^\n]*\n\s*)*)\(\s*ctx\s*\)/, `$1(ctx, ${item})`);
  if (kind === 'singleton')
    return draft.code.replace(/^(\s*(?:\/\/[^\n]*\n\s*)*)\(\s*ctx\s*,\s*\w+\s*\)/, '$1(ctx)');
  return draft.code;
}

/** A kind that is a source already is what was wanted. */
async function ensureSource(resource: string): Promise<void> {
  try {
    await addSource(resource);
  } catch (error) {
    if (failureOf(error).code !== 'taken') throw error;
  }
}
