// Saves, renames and deletes formulas. Failures show in the dialog, successes as a toast.

import type {ParamValues, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {useState} from 'react';
import {navigate, toast} from '../../store/app.ts';
import {editDraft} from '../draft/draft-store.ts';
import type {Draft} from '../draft/drafts.ts';
import {changeFormula, createFormula, deleteFormula, failureOf} from '../formula-api.ts';

export interface FormulaSaving {
  asking: 'save' | 'rename' | null;
  deleting: string | null;
  failure: ApiFailure | null;
  busy: boolean;
  /** The first save asks for a name. */
  save: () => void;
  rename: () => void;
  saveAs: (name: string) => Promise<void>;
  remove: (name: string) => void;
  removeNow: () => Promise<void>;
  close: () => void;
}

export function useFormulaSaving(draft: Draft | undefined, onSaved: () => void): FormulaSaving {
  const [asking, setAsking] = useState<FormulaSaving['asking']>(null);
  const [deleting, setDeleting] = useState<string | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [busy, setBusy] = useState(false);

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
      setAsking(null);
      setDeleting(null);
      onSaved();
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };

  const saveAs = (name: string) =>
    attempt(async () => {
      if (draft === undefined) return;
      const saved = await sendFormula(draft, name);
      editDraft(draft.id, {name: saved.name, of: savedVersionOf(saved)});
      toast(savedMessage(draft.of?.name, saved.name));
    });

  return {
    asking,
    deleting,
    failure,
    busy,
    save: () => {
      setFailure(null);
      if (draft?.of === undefined) setAsking('save');
      else void saveAs(draft.name);
    },
    rename: () => {
      setFailure(null);
      setAsking('rename');
    },
    saveAs: async name => {
      if (asking === 'rename' && draft !== undefined && draft.of === undefined) {
        editDraft(draft.id, {name});
        setAsking(null);
      } else await saveAs(name);
    },
    remove: name => {
      setFailure(null);
      setDeleting(name);
    },
    removeNow: () =>
      attempt(async () => {
        if (deleting === null) return;
        await deleteFormula(deleting);
        if (draft?.of?.name === deleting) editDraft(draft.id, {of: undefined});
        toast(`${deleting} deleted. Its text is still here as a draft.`);
        navigate({key: null});
      }),
    close: () => {
      setAsking(null);
      setDeleting(null);
      setFailure(null);
    },
  };
}

function savedMessage(before: string | undefined, name: string): string {
  if (before === undefined) return `${name} saved. It is now a collection of the graph.`;
  return before === name ? `${name} saved. Its readers run again.` : `${before} renamed to ${name}`;
}

export function savedVersionOf(saved: SavedFormula): NonNullable<Draft['of']> {
  const {name, revision, code, kind, input} = saved;
  return {name, revision, code, kind, input, params: changedParams(saved)};
}

/** The values that differ from the defaults. */
export function changedParams({params = []}: SavedFormula): ParamValues | undefined {
  const changed = params.filter(one => one.value !== one.default).map(one => [one.name, one.value] as const);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function sendFormula(draft: Draft, name: string): Promise<SavedFormula> {
  const {code, kind, input} = draft;
  const body = {
    code,
    kind,
    input: kind === 'singleton' ? undefined : input,
    params: draft.params ?? (draft.of?.params && {}),
    tests: draft.pins.length > 0 || draft.of ? draft.pins : undefined,
  };
  if (draft.of === undefined) return createFormula({name, ...body});
  const {revision} = draft.of;
  return changeFormula(draft.of.name, {...body, revision, name: name === draft.of.name ? undefined : name});
}
