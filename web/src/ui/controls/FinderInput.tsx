// The search field above a list of results: arrows move, Enter picks one. The caller draws the list.
import type {KeyboardEvent} from 'react';
import './finder-input.css';

export function FinderInput({
  text,
  onText,
  label,
  placeholder = label,
  count,
  at,
  onAt,
  onTake,
}: {
  text: string;
  onText: (text: string) => void;
  label: string;
  placeholder?: string;
  /** The number of results, and the index of the active one. */
  count: number;
  at: number;
  onAt: (at: number) => void;
  onTake: () => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      onAt((at + (event.key === 'ArrowDown' ? 1 : -1) + count) % Math.max(1, count));
    }
    if (event.key === 'Enter' && at < count) {
      // Picking moves focus to the button, and the same Enter would press it.
      event.preventDefault();
      onTake();
    }
  };
  return (
    <input
      data-autofocus
      className="finder-input"
      value={text}
      placeholder={placeholder}
      aria-label={label}
      spellCheck={false}
      onChange={event => {
        onText(event.target.value);
        onAt(0);
      }}
      onKeyDown={onKeyDown}
    />
  );
}
