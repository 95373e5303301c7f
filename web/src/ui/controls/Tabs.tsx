// Tabs with a fixed order, and the segmented switch. Arrows move; each is one Tab stop.
import {type KeyboardEvent, type ReactNode, useId, useRef} from 'react';
import './tabs.css';

interface TabOption<T extends string> {
  id: T;
  label: string;
  count?: number;
}

function arrowTarget(event: KeyboardEvent, from: number, length: number): number | null {
  if (event.key === 'ArrowRight') return (from + 1) % length;
  if (event.key === 'ArrowLeft') return (from + length - 1) % length;
  if (event.key === 'Home') return 0;
  if (event.key === 'End') return length - 1;
  return null;
}

export function Tabs<T extends string>({
  tabs,
  active,
  onPick,
  label,
  children,
}: {
  tabs: TabOption<T>[];
  active: T;
  onPick: (id: T) => void;
  label: string;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = arrowTarget(
      event,
      tabs.findIndex(tab => tab.id === active),
      tabs.length,
    );
    if (next === null) return;
    event.preventDefault();
    onPick(tabs[next]!.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(tab => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === active}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === active ? 0 : -1}
            className="tab"
            onClick={() => onPick(tab.id)}
          >
            {tab.label}
            {tab.count === undefined ? null : <span className="tab-count">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`}>
        {children}
      </div>
    </>
  );
}

/** A choice of a few words in one control: `Runs | Time | Equal`. */
export function Segmented<T extends string>({
  options,
  active,
  onPick,
  label,
}: {
  options: {id: T; label: ReactNode}[];
  active: T;
  onPick: (id: T) => void;
  label: string;
}) {
  const group = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = arrowTarget(
      event,
      options.findIndex(option => option.id === active),
      options.length,
    );
    if (next === null) return;
    event.preventDefault();
    onPick(options[next]!.id);
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
  };
  return (
    <div className="segmented" role="radiogroup" aria-label={label} ref={group} onKeyDown={onKeyDown}>
      {options.map(option => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot hold the shape of a segment
        <button
          key={option.id}
          type="button"
          role="radio"
          aria-checked={option.id === active}
          tabIndex={option.id === active ? 0 : -1}
          className="segment inline-row bare-button gap-6"
          onClick={() => onPick(option.id)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
