// The search box of the top bar. It finds items, IPs, hosts, labels, namespaces and collections.
import type {Hit} from '@krtscope/shared/items.ts';
import {type KeyboardEvent, useDeferredValue, useId, useMemo, useRef, useState} from 'react';
import {select} from '../../store/navigation.ts';
import {useGraph, useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {HitRow} from './HitRow.tsx';
import {groupHits} from './hit-groups.ts';
import './search-box.css';

const hint = 'Find an item, IP, host, namespace or collection';

/** The key `/` focuses this element in views without a filter. */
export const searchId = 'search';

export function SearchBox() {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const close = () => {
    setOpen(false);
    setText('');
  };
  return (
    <div className="search">
      <Icon name="search" />
      <SearchInput
        inputRef={input}
        text={text}
        open={open && text.trim() !== ''}
        onText={value => {
          setText(value);
          setOpen(true);
        }}
        onOpen={setOpen}
        onDone={close}
      />
      <Kbd keys="Mod+K" />
    </div>
  );
}

interface SearchInputProps {
  inputRef: React.RefObject<HTMLInputElement | null>;
  text: string;
  open: boolean;
  onText: (text: string) => void;
  onOpen: (open: boolean) => void;
  onDone: () => void;
}

function SearchInput({inputRef, text, open, onText, onOpen, onDone}: SearchInputProps) {
  const id = useId();
  const {groups, flat, total, pending} = useHits(open ? text : '');
  const [{at, of}, setChoice] = useState({at: 0, of: text});
  const setAt = (next: number) => setChoice({at: next, of: text});
  // Another text starts at its first hit.
  if (of !== text) setAt(0);
  const chosen = Math.min(at, Math.max(0, flat.length - 1));
  const openHit = (hit: Hit) => {
    onDone();
    inputRef.current?.blur();
    if (hit.where === 'collection') select({collection: hit.collection}, 'sheet');
    else select({collection: hit.collection, key: hit.key}, 'sheet');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, flat.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter' && flat[chosen]) openHit(flat[chosen]);
    else if (event.key === 'Escape') {
      if (text === '') inputRef.current?.blur();
      onDone();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        ref={inputRef}
        id={searchId}
        className="search-input"
        role="combobox"
        aria-label={hint}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && flat.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={hint}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={event => onText(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => onOpen(true)}
        onBlur={() => onOpen(false)}
      />
      {open ? (
        <div className="search-hits" id={`${id}-list`} role="listbox" aria-label="Matches">
          {groups.map(group => (
            // biome-ignore lint/a11y/useSemanticElements: options in a listbox are grouped by role
            <div key={group.label} role="group" aria-label={group.label}>
              <div className="hits-label" aria-hidden="true">
                {group.label}
              </div>
              {group.hits.map(({hit, at: position}) => (
                <HitRow
                  key={`${hit.collection}/${hit.key}/${hit.where}`}
                  id={`${id}-${position}`}
                  hit={hit}
                  text={text}
                  chosen={position === chosen}
                  onPick={() => openHit(hit)}
                />
              ))}
            </div>
          ))}
          {flat.length === 0 ? (
            <p className="hits-none">{pending ? 'Searching…' : `No matches for “${text.trim()}”`}</p>
          ) : total > flat.length ? (
            <p className="hits-none">
              {flat.length} of {total.toLocaleString('en')} shown. Type more to narrow.
            </p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

/** Hits for a text, grouped by the kind of their collection. */
export function useHits(text: string) {
  const query = useDeferredValue(text.trim());
  const reply = useSubscription(query === '' ? null : {ask: 'search', q: query, limit: 200});
  const last = useLastAnswer(reply);
  const answer = query === '' ? undefined : last;
  const pending = text.trim() !== '' && (query !== text.trim() || (!reply.answer && !reply.failure));
  const graph = useGraph();
  return useMemo(() => {
    const groups = groupHits(answer?.hits ?? [], graph?.collections ?? []);
    const flat = groups.flatMap(group => group.hits.map(one => one.hit));
    return {groups, flat, total: answer?.total ?? 0, pending};
  }, [answer, graph, pending]);
}
