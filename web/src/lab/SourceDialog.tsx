// Any kind that the cluster serves as a source: found by typing, added with one click, listed and watched like the others.

import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Kind, Kinds} from '@krtscope/shared/sources.ts';
import {useState} from 'react';
import {addable, fullName} from '../app/addable-kinds.ts';
import {addSource} from '../app/new-source.ts';
import {failureText} from '../stream/failure.ts';
import {useAnswer} from '../stream/hooks.ts';
import {Button} from '../ui/Button.tsx';
import {Icon} from '../ui/Icon.tsx';
import {failureOf} from './answers.ts';
import {LabDialog} from './LabDialog.tsx';
import './source-dialog.css';

const MANY = 80;

export function SourceDialog({onClose, onAdded}: {onClose: () => void; onAdded: (name: string) => void}) {
  const {answer, failure, loading} = useAnswer<Kinds>('/kinds');
  const [typed, setTyped] = useState('');
  const [adding, setAdding] = useState<string | null>(null);
  const [refused, setRefused] = useState<ApiFailure | null>(null);
  const found = addable(answer?.kinds ?? [], typed);
  const add = async (entry: Kind) => {
    if (entry.source !== undefined) return onAdded(entry.source);
    setAdding(fullName(entry));
    setRefused(null);
    try {
      onAdded((await addSource(fullName(entry))).name);
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
