// Starts, opens, changes and discards drafts: from nothing, a recipe, a saved formula, a link or the `+` key.

import type {FormulaKind, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Recipe} from '@krtscope/shared/recipes/recipe.ts';
import {type RefObject, useEffect, useEffectEvent, useRef} from 'react';
import {addSource} from '../../app/sources/add-source-request.ts';
import {bestRoot} from '../../sheet/columns/columns.ts';
import {setParams, toast, useApp} from '../../store/app.ts';
import {useParam} from '../../store/navigation.ts';
import {failureText} from '../../stream/failure-text.ts';
import {failureOf} from '../formula-api.ts';
import {changedParams, savedVersionOf} from '../saved/use-formula-saving.ts';
import type {SharedFormula} from '../share/formula-link.ts';
import {
  chooseDraft,
  discardDraft,
  editDraft,
  openDraft,
  useDraftStore,
  useStoredDrafts,
} from './draft-store.ts';
import {currentDraft, type Draft, formulaSkeleton, freeName, itemParameterName} from './drafts.ts';
import {missingSources} from './recipe-sources.ts';

export interface DraftActions {
  start: (formula: SharedFormula) => void;
  startNew: () => void;
  startRecipe: (recipe: Recipe) => Promise<void>;
  openFormula: (formula: SavedFormula) => void;
  choose: (draft: Draft) => void;
  discard: (draft: Draft) => void;
  changeShape: (change: {kind?: FormulaKind; input?: string}) => void;
  onSourceAdded: (name: string) => void;
  /** The id of a draft that was just started, until the editor has the focus. */
  newDraft: RefObject<string | null>;
}

export function useDraftActions({
  graph,
  formulas,
  onOpened,
  showInstead,
}: {
  graph: Graph | null;
  formulas: readonly SavedFormula[];
  onOpened: () => void;
  /** Set where other people wrote the formulas: the reader sees the code before it runs. */
  showInstead: ((formula: SharedFormula) => void) | undefined;
}): DraftActions {
  useStoredDrafts();
  const newDraft = useRef<string | null>(null);
  const selected = useApp(state => state.route.collection);
  const session = useDraftStore(state => state.session);
  const [newParam] = useParam('new');
  const [formulaParam] = useParam('formula');
  const takenNames = () => [
    ...(graph?.collections ?? []).map(node => node.name),
    ...useDraftStore.getState().drafts.map(draft => draft.name),
  ];
  const isObject = (name: string | undefined) =>
    graph?.collections.find(node => node.name === name)?.resource !== undefined;

  const startNew = (over?: string) => {
    if (graph === null || session === null) {
      // The first frame has not arrived. The parameter opens the draft as soon as it has.
      setParams({new: '1'});
      return;
    }
    const input =
      over ?? (graph.collections.some(node => node.name === selected) ? selected! : bestRoot(graph));
    const name = freeName('Draft', takenNames());
    const code = formulaSkeleton('one', input, isObject(input));
    newDraft.current = openDraft({name, kind: 'one', code, input}).id;
    onOpened();
  };
  const openFormula = (formula: SavedFormula) => {
    const {name, kind, input, code, tests: pins = []} = formula;
    if (showInstead !== undefined) {
      showInstead({name, kind, code, input, from: 'recording'});
      return;
    }
    const draft = useDraftStore.getState().drafts.find(one => one.of?.name === name);
    if (draft === undefined) {
      openDraft({name, kind, code, pins, input, params: changedParams(formula), of: savedVersionOf(formula)});
      return;
    }
    chooseDraft(draft.id);
    // Another page saved the formula, and this draft has no changes: take the saved text.
    if (draft.of!.revision !== formula.revision && draft.code === draft.of!.code)
      editDraft(draft.id, {code, params: changedParams(formula), of: savedVersionOf(formula)});
  };

  const ready = graph !== null && session !== null;
  // Effect events: only the address starts these effects, not a newer function.
  const onNew = useEffectEvent(() => startNew());
  useEffect(() => {
    if (!ready || newParam === null) return;
    onNew();
    setParams({new: null});
  }, [ready, newParam]);
  const formula = formulas.find(one => one.name === formulaParam);
  const onFormula = useEffectEvent(openFormula);
  useEffect(() => {
    if (!ready || !formula) return;
    onFormula(formula);
    setParams({formula: null});
  }, [ready, formula]);

  return {
    start: ({name, kind, input, code, shadow, params}) => {
      openDraft({name: freeName(name, takenNames()), kind, code, input, shadow, params});
    },
    startNew: () => startNew(),
    startRecipe: async recipe => {
      try {
        const {kind, input, code} = recipe;
        for (const source of missingSources(recipe, graph)) await ensureSource(source);
        openDraft({name: freeName(recipe.name, takenNames()), kind, code, input});
        onOpened();
      } catch (error) {
        toast(failureText(failureOf(error)), 'error');
      }
    },
    openFormula,
    choose: draft => chooseDraft(draft.id),
    discard: draft => discardDraft(draft.id),
    changeShape: change => {
      const draft = currentDraft(useDraftStore.getState());
      if (!draft) return;
      const kind = change.kind ?? draft.kind;
      const input = change.input ?? draft.input ?? (graph ? bestRoot(graph) : undefined);
      // Replace an unchanged skeleton with the skeleton of the new shape.
      const untouched = draft.code === formulaSkeleton(draft.kind, draft.input, isObject(draft.input));
      const code = untouched
        ? formulaSkeleton(kind, input, isObject(input))
        : adaptParameters(draft, kind, input);
      editDraft(draft.id, {kind, code, input});
    },
    onSourceAdded: name => {
      onOpened();
      const draft = currentDraft(useDraftStore.getState());
      if (draft === undefined) startNew(name);
    },
    newDraft,
  };
}

/** Adds or removes the item parameter when the formula becomes or stops being a singleton. */
function adaptParameters(draft: Draft, kind: FormulaKind, input: string | undefined): string {
  if (kind === draft.kind || input === undefined) return draft.code;
  const item = itemParameterName(input);
  if (draft.kind === 'singleton')
    return draft.code.replace(/^(\s*(?:\/\/[^\n]*\n\s*)*)\(\s*ctx\s*\)/, `$1(ctx, ${item})`);
  if (kind === 'singleton')
    return draft.code.replace(/^(\s*(?:\/\/[^\n]*\n\s*)*)\(\s*ctx\s*,\s*\w+\s*\)/, '$1(ctx)');
  return draft.code;
}

/** A source that exists already is fine. */
async function ensureSource(resource: string): Promise<void> {
  try {
    await addSource(resource);
  } catch (error) {
    if (failureOf(error).code !== 'taken') throw error;
  }
}
