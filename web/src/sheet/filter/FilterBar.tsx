// The filter bar: chips, a field with completion, and the mistake in a term. The filter's text lives in the URL.
import {type KeyboardEvent, useEffect, useId, useMemo, useRef, useState} from 'react';
import {useKeys} from '../../app/keys/keys.ts';
import {useNamespace, useParam} from '../../store/navigation.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {useNamespaces} from '../../stream/use-namespaces.ts';
import {useAnswer} from '../../stream/use-subscription.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {clockText} from '../../ui/text/Age.tsx';
import {
  type FilterSuggestion,
  type FilterVocabulary,
  findMistake,
  isUnfinished,
  joinFilter,
  labelValues,
  splitFilter,
  suggest,
} from './filter-text.ts';
import './filter-bar.css';

const TYPING_DELAY_MS = 200;
const MAX_LABELLED_ROWS = 500;

export function FilterBar({
  root,
  fields,
  values,
  compact = false,
  problem,
}: {
  root: string;
  fields: readonly string[];
  values: FilterVocabulary['values'];
  compact?: boolean;
  problem?: string;
}) {
  const [q, setQ] = useParam('q');
  const [since, setSince] = useParam('since');
  const [namespace, setNamespace] = useNamespace();
  const namespaces = useOfferedNamespaces();
  const [draft, setDraft] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  // Typed text filters at once: it is in the URL's text but not yet a chip.
  const typed = useRef('');
  const committed = withoutTyped(q ?? '', typed.current);
  const tokens = splitFilter(committed);
  const labels = useLabelValues(root, /(^|\s)-l/.test(draft));
  const choices = open
    ? suggest(draft, {namespaces, fields, values, ...(labels === undefined ? {} : {labels})})
    : [];
  const unfinished = isUnfinished(draft, {namespaces, labels});
  const wrong =
    [...tokens, ...splitFilter(draft)].map(token => findMistake(token, fields)).find(Boolean) ?? problem;

  useEffect(() => {
    const whole = draft.trim();
    if (whole === typed.current) return;
    // A term without its value would hide every row.
    const text = unfinished ? '' : whole;
    if (text === typed.current) return;
    const wait = setTimeout(() => {
      typed.current = text;
      setQ(joinTerms(committed, text));
    }, TYPING_DELAY_MS);
    return () => clearTimeout(wait);
  }, [draft, unfinished, committed, setQ]);

  const commit = (text: string) => {
    typed.current = '';
    setDraft('');
    setAt(-1);
    // Close the list so that the rows are visible; typing or arrow down opens it again.
    setOpen(false);
    setQ(joinTerms(committed, text.trim()));
  };
  const take = (choice: FilterSuggestion) => {
    if (choice.open) {
      setDraft(choice.text);
      setAt(-1);
      input.current?.focus();
    } else commit(choice.text);
  };
  const remove = (position: number) => {
    setQ(joinTerms(joinFilter(tokens.filter((_, i) => i !== position)), typed.current));
    input.current?.focus();
  };
  const edit = (position: number) => {
    const rest = joinTerms(joinFilter(tokens.filter((_, i) => i !== position)), draft.trim());
    typed.current = tokens[position]!.text;
    setDraft(typed.current);
    setQ(joinTerms(rest ?? '', typed.current));
    input.current?.focus();
  };
  useKeys({'/': {says: 'filter this view', group: 'Move', run: () => input.current?.focus()}});

  const onKeyDown = (event: KeyboardEvent) => {
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0) setOpen(true);
    const picked = choices[at];
    if (move !== 0 && choices.length > 0) {
      setAt((at + move + choices.length + (at < 0 && move < 0 ? 1 : 0)) % choices.length);
    } else if (event.key === 'Enter' || (event.key === 'Tab' && picked)) {
      if (picked) take(picked);
      else if (draft.trim() !== '') commit(draft);
      else if (event.key === 'Enter') input.current?.blur();
    } else if (event.key === 'Backspace' && draft === '' && tokens.length > 0) remove(tokens.length - 1);
    else if (event.key === 'Escape') {
      if (open && draft !== '') setDraft('');
      else if (tokens.length > 0) setQ(null);
      else input.current?.blur();
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };

  return (
    <div className={`filter ${wrong ? 'filter-wrong' : ''} ${compact ? 'filter-compact' : ''}`}>
      <div className="filter-box row gap-6">
        <Icon name="filter" />
        {namespace === null ? null : (
          <FilterChip head="ns:" value={namespace} onRemove={() => setNamespace(null)} />
        )}
        {since === null ? null : (
          <FilterChip head="since " value={clockText(Number(since))} onRemove={() => setSince(null)} />
        )}
        {tokens.map((token, position) => (
          <FilterChip
            // biome-ignore lint/suspicious/noArrayIndexKey: two equal terms are two chips
            key={position}
            head={token.head}
            value={token.value}
            wrong={findMistake(token, fields) !== undefined}
            onRemove={() => remove(position)}
            onEdit={() => edit(position)}
          />
        ))}
        <input
          ref={input}
          className="filter-input"
          value={draft}
          placeholder={
            tokens.length > 0 || namespace !== null
              ? 'add a filter'
              : 'filter: ns:shop  -l app=cart  state:failed  changed<30s'
          }
          aria-label="Filter rows"
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={choices[at] ? `${id}-${at}` : undefined}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={event => {
            setDraft(event.target.value);
            setOpen(true);
            setAt(-1);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <Kbd keys="/" />
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Filter terms"
          className="filter-list"
          hidden={choices.length === 0}
        >
          {choices.map((choice, position) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys, this is its list
            // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input (aria-activedescendant)
            <div
              key={choice.text}
              id={`${id}-${position}`}
              role="option"
              aria-selected={position === at}
              className="filter-option"
              onPointerDown={event => event.preventDefault()}
              onClick={() => take(choice)}
            >
              <code>{choice.text}</code>
              <span>{choice.hint}</span>
            </div>
          ))}
        </div>
      </div>
      {wrong && !compact ? (
        <span className="filter-slip ellipsis" id={`${id}-wrong`} role="status" title={wrong}>
          <span aria-hidden="true">◆</span> {wrong}
        </span>
      ) : null}
    </div>
  );
}

function withoutTyped(text: string, typed: string): string {
  return typed !== '' && text.endsWith(typed) ? text.slice(0, -typed.length).trim() : text;
}

function joinTerms(...terms: string[]): string | null {
  return terms.filter(Boolean).join(' ') || null;
}

/** Label values of the root's rows, by label key. Loads them once the user types a selector; undefined until then. */
function useLabelValues(root: string, on: boolean): ReadonlyMap<string, readonly string[]> | undefined {
  const path = `/collections/${encodeURIComponent(root)}/items?limit=${MAX_LABELLED_ROWS}`;
  const {answer, failure} = useAnswer<{items: {value: unknown}[]}>(on ? path : null);
  return useMemo(
    () => (answer || failure ? labelValues((answer?.items ?? []).map(item => item.value)) : undefined),
    [answer, failure],
  );
}

/** The session's own namespaces, else all namespaces. */
function useOfferedNamespaces(): readonly string[] {
  const given = useConnection(link => link.session?.namespaces);
  const all = useNamespaces();
  return useMemo(() => (given && given.length > 0 ? given : (all?.names ?? [])), [given, all]);
}

function FilterChip({
  head,
  value,
  wrong = false,
  onRemove,
  onEdit,
}: {
  head: string;
  value: string;
  wrong?: boolean;
  onRemove: () => void;
  onEdit?: () => void;
}) {
  const text = `${head}${head.startsWith('-') ? ' ' : ''}${value}`;
  const words = (
    <>
      {head === '' ? null : <span className="filter-head">{head}</span>}
      {value}
    </>
  );
  return (
    <span className={`filter-chip inline-row ${wrong ? 'filter-chip-wrong' : ''}`}>
      {onEdit === undefined ? (
        <span className="ellipsis" title={text}>
          {words}
        </span>
      ) : (
        <button
          type="button"
          className="filter-chip-text bare-button ellipsis"
          onClick={onEdit}
          title={`Edit ${text}`}
          aria-label={`Edit filter ${text}`}
        >
          {words}
        </button>
      )}
      <button
        type="button"
        className="filter-chip-remove inline-row bare-button"
        onClick={onRemove}
        title={`Remove ${text}`}
        aria-label={`Remove filter ${text}`}
      >
        <Icon name="close" size={10} />
      </button>
    </span>
  );
}
