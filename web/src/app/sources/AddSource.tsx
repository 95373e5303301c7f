// The dialog that adds a kind of the cluster as a source. It shows which kinds the user may list.
import type {KindAnswer, KindsAnswer} from '@krtscope/shared/sources.ts';
import {type KeyboardEvent, useEffect, useRef, useState} from 'react';
import {openOverlay, toast} from '../../store/app.ts';
import {select} from '../../store/navigation.ts';
import {errorText} from '../../stream/failure-text.ts';
import {useAnswer} from '../../stream/use-subscription.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {ModalSheet} from '../shell/ModalSheet.tsx';
import {addSource} from './add-source-request.ts';
import {fullName, groupName, matchingKinds} from './addable-kinds.ts';
import './add-source.css';

const closeOverlay = () => openOverlay(null);
const openSheet = (collection: string) => {
  closeOverlay();
  select({collection}, 'sheet');
};

export function AddSource({
  onAdded = openSheet,
  onClose = closeOverlay,
}: {
  /** Called with the name of the source, also if it existed before. */
  onAdded?: (name: string) => void;
  onClose?: () => void;
}) {
  const {answer, failure, loading} = useAnswer<KindsAnswer>('/kinds');
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [adding, setAdding] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const kinds = matchingKinds(answer?.kinds ?? [], text);
  const chosen = Math.min(at, Math.max(0, kinds.length - 1));
  const pick = async (kind: KindAnswer | undefined) => {
    if (kind === undefined || adding !== undefined) return;
    if (kind.source !== undefined) {
      onAdded(kind.source);
      return;
    }
    if (!kind.allowed) {
      setProblem(
        `You are not allowed to list ${kind.resource}. Check with: kubectl auth can-i list ${fullName(kind)}`,
      );
      return;
    }
    setAdding(kind.name);
    setProblem(undefined);
    try {
      const {name} = await addSource(fullName(kind));
      toast(`${name} added as a source`);
      onAdded(name);
    } catch (error) {
      setAdding(undefined);
      setProblem(errorText(error));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, kinds.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1));
    else if (event.key === 'Enter') void pick(kinds[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <ModalSheet label="Add a source" className="palette add-source" onClose={onClose}>
      <div className="modal-head bar gap-10">
        <Icon name="plus" />
        <input
          ref={input}
          className="palette-input"
          role="combobox"
          aria-expanded
          aria-controls="kinds-list"
          aria-activedescendant={kinds[chosen] ? `kind-${chosen}` : undefined}
          aria-label="Kind"
          placeholder="Kind, for example gateways, job or crd"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onChange={event => {
            setText(event.target.value);
            setAt(0);
            setProblem(undefined);
          }}
        />
        <Kbd keys="Escape" />
      </div>
      {problem ? (
        <p className="add-source-problem" role="alert">
          <Icon name="warning" /> {problem}
        </p>
      ) : null}
      <div className="palette-list" id="kinds-list" role="listbox" aria-label="Kinds" aria-busy={loading}>
        {kinds.map((kind, position) => (
          <KindRow
            key={`${kind.group}/${kind.resource}`}
            id={`kind-${position}`}
            kind={kind}
            chosen={position === chosen}
            adding={adding === kind.name}
            onPick={() => void pick(kind)}
          />
        ))}
        {kinds.length === 0 ? (
          <p className="hits-none">{emptyText(loading, failure?.message, text)}</p>
        ) : null}
      </div>
      {answer && answer.failed.length > 0 ? (
        <p className="add-source-note">No answer from {answer.failed.join(', ')}</p>
      ) : null}
    </ModalSheet>
  );
}

function KindRow(props: {
  id: string;
  kind: KindAnswer;
  chosen: boolean;
  adding: boolean;
  onPick: () => void;
}) {
  const {kind, chosen} = props;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({block: 'nearest'});
  }, [chosen]);
  const denied = !kind.allowed && kind.source === undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input, aria-activedescendant points here
    <div
      ref={row}
      id={props.id}
      role="option"
      aria-selected={chosen}
      aria-disabled={denied}
      className={denied ? 'hit is-denied' : 'hit'}
      onClick={props.onPick}
    >
      {denied ? <Icon name="lock" /> : <KindShape kind="source" />}
      <span className="add-source-name">{kind.name}</span>
      <span className="add-source-group ellipsis">
        {groupName(kind)} · {kind.namespaced ? 'namespaced' : 'cluster'}
      </span>
      <span className="hit-end">{props.adding ? 'adding…' : kindState(kind)}</span>
    </div>
  );
}

function kindState({source, allowed}: KindAnswer): string {
  if (source !== undefined) return 'added: open';
  return allowed ? 'add' : 'not allowed';
}

function emptyText(loading: boolean, failure: string | undefined, text: string): string {
  if (loading) return 'Loading the kinds of the cluster…';
  if (failure !== undefined) return failure;
  return text === '' ? 'This session has no cluster, so no kinds can be added.' : `No matches for “${text}”`;
}
