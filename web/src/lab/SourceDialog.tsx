// Any kind that the cluster serves as a source: found by typing, added with one click, listed and watched like the others.

import type {ApiFailure} from '@krtscope/shared/session.ts';
import {useState} from 'react';
import {useApp} from '../store/app.ts';
import {useAnswer} from '../stream/hooks.ts';
import {apiPath, request} from '../stream/http.ts';
import {Button} from '../ui/Button.tsx';
import {Icon} from '../ui/Icon.tsx';
import {failureOf, failureText} from './answers.ts';
import {LabDialog} from './LabDialog.tsx';
import './source-dialog.css';

export interface KindEntry {
  resource: string;
  group: string;
  version: string;
  kind: string;
  namespaced: boolean;
  allowed: boolean;
  source?: string;
}

const MANY = 80;

/** Resolves with the name that the source has, also when it was one already. */
export async function addSource(resource: string): Promise<string> {
  const {session} = useApp.getState().place;
  const options = {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({resource}),
  };
  return (await request<{name: string}>(apiPath('/sources', {session}), options)).name;
}

export function fullName({resource, group}: Pick<KindEntry, 'resource' | 'group'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** What fits best first: names that begin with it, then those that hold it, then groups. */
export function findKinds(kinds: readonly KindEntry[], typed: string): KindEntry[] {
  const wanted = typed.trim().toLowerCase();
  const rank = (one: KindEntry) => {
    const names = [one.kind.toLowerCase(), one.resource.toLowerCase()];
    if (names.some(name => name.startsWith(wanted))) return 0;
    if (names.some(name => name.includes(wanted))) return 1;
    return one.group.includes(wanted) ? 2 : 3;
  };
  return kinds
    .map(one => ({one, rank: rank(one)}))
    .filter(({rank: own}) => own < 3)
    .sort((a, b) => a.rank - b.rank || a.one.kind.localeCompare(b.one.kind))
    .map(({one}) => one);
}

export function SourceDialog({onClose, onAdded}: {onClose: () => void; onAdded: (name: string) => void}) {
  const {answer, failure, loading} = useAnswer<{kinds: KindEntry[]}>('/kinds');
  const [typed, setTyped] = useState('');
  const [adding, setAdding] = useState<string | null>(null);
  const [refused, setRefused] = useState<ApiFailure | null>(null);
  const found = findKinds(answer?.kinds ?? [], typed);
  const add = async (entry: KindEntry) => {
    if (entry.source !== undefined) return onAdded(entry.source);
    setAdding(fullName(entry));
    setRefused(null);
    try {
      onAdded(await addSource(fullName(entry)));
    } catch (error) {
      setRefused(failureOf(error));
    } finally {
      setAdding(null);
    }
  };
  const problem = refused ?? failure;
  return (
    <LabDialog label="Add a source" onClose={onClose}>
      <h2 className="save-title">Add a source</h2>
      <p className="save-words">
        Every kind that the cluster serves and you may list can be a collection: a CRD too.
      </p>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog asks for this one thing
        autoFocus
        className="save-input"
        type="search"
        aria-label="Find a kind"
        placeholder="Find a kind, a resource or a group"
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && found[0]) void add(found[0]);
        }}
      />
      {problem ? (
        <p className="save-said save-refused" role="alert">
          {failureText(problem)}
        </p>
      ) : null}
      <ul className="kinds" aria-busy={loading}>
        {found.slice(0, MANY).map(entry => (
          <li key={fullName(entry)}>
            <button
              type="button"
              className="kind-row"
              disabled={!entry.allowed || adding !== null}
              onClick={() => void add(entry)}
            >
              <b>{entry.kind}</b>
              <span className="mono kind-group">{fullName(entry)}</span>
              <span className="kind-state">
                {adding === fullName(entry) ? (
                  'adding…'
                ) : entry.source !== undefined ? (
                  <>
                    <Icon name="check" size={13} /> {entry.source}
                  </>
                ) : entry.allowed ? (
                  entry.version
                ) : (
                  <>
                    <Icon name="lock" size={13} /> not permitted
                  </>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {answer && found.length === 0 ? (
        <p className="lab-hint">
          Nothing served here fits “{typed}”. A CRD that is installed later appears by itself.
        </p>
      ) : null}
      {found.length > MANY ? (
        <p className="lab-hint">{found.length - MANY} more: type to narrow them.</p>
      ) : null}
      <div className="save-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </LabDialog>
  );
}
