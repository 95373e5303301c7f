// YAML without syntax colours; only a changed line has one, with its earlier value. Each line offers Why.
import {type KeyboardEvent, useMemo, useState} from 'react';
import {Icon} from '../indicators/Icon.tsx';
import {toYamlBlock, type YamlLine} from './yaml-lines.ts';
import './yaml.css';

type FieldQuestionHandler = (field: string) => void;

export function Yaml({
  value,
  previous,
  changed = [],
  label = 'Value',
  onAsk,
  onImpact,
}: {
  value: unknown;
  previous?: unknown;
  changed?: string[];
  label?: string;
  /** Asks why the field has this value: by its `why?`, or by arrows and Enter. */
  onAsk?: FieldQuestionHandler;
  /** Asks who reads the field. */
  onImpact?: FieldQuestionHandler;
}) {
  const block = useMemo(() => toYamlBlock(value, previous, changed), [value, previous, changed]);
  const [open, setOpen] = useState<string[]>([]);
  const [active, setActive] = useState<number | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!onAsk || event.target !== event.currentTarget) return;
    const last = block.lines.length - 1;
    if (event.key === 'ArrowDown') setActive(active === null ? 0 : Math.min(last, active + 1));
    else if (event.key === 'ArrowUp') setActive(active === null ? last : Math.max(0, active - 1));
    else if (event.key === 'Enter' && active !== null) onAsk(block.lines[active]?.field ?? '');
    else return;
    event.preventDefault();
  };
  return (
    <figure
      className="yaml"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls, and the keyboard must reach it
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => setActive(null)}
    >
      {block.lines.map((line, at) => (
        <Line
          key={`${line.path}:${line.name}`}
          line={line}
          number={at + 1}
          active={at === active}
          onAsk={onAsk}
          onImpact={onImpact}
        />
      ))}
      {block.folds.map(fold => {
        const shown = open.includes(fold.path);
        return (
          <div key={fold.path}>
            <button
              type="button"
              className="yaml-fold bare-button"
              aria-expanded={shown}
              onClick={() => setOpen(shown ? open.filter(one => one !== fold.path) : [...open, fold.path])}
            >
              <span className="yaml-number inline-row">
                <Icon name={shown ? 'down' : 'right'} size={12} />
              </span>
              {fold.label}{' '}
              <span className="yaml-folded">
                {fold.lines.length} lines {shown ? 'shown' : 'folded'}
              </span>
            </button>
            {shown
              ? fold.lines.map(line => (
                  <Line key={`${line.path}:${line.name}`} line={line} onAsk={onAsk} onImpact={onImpact} />
                ))
              : null}
          </div>
        );
      })}
    </figure>
  );
}

function Line({
  line,
  number,
  active = false,
  onAsk,
  onImpact,
}: {
  line: YamlLine;
  number?: number;
  active?: boolean;
  onAsk?: FieldQuestionHandler | undefined;
  onImpact?: FieldQuestionHandler | undefined;
}) {
  return (
    <div className={`yaml-line ${line.changed ? 'yaml-changed' : ''} ${active ? 'yaml-active' : ''}`}>
      <span className="yaml-number inline-row" aria-hidden="true">
        {number}
      </span>
      <span className="yaml-text">
        {'\u00a0'.repeat(line.indent)}
        <span className="yaml-name">{line.name}</span> {line.text}
      </span>
      {line.was === undefined ? null : (
        <span className="yaml-was ellipsis" title={`was ${line.was}`}>
          was {line.was}
        </span>
      )}
      {(onAsk || onImpact) && line.field !== '' ? (
        <span className="yaml-questions">
          {onImpact ? (
            <FieldQuestion
              field={line.field}
              word="who reads?"
              says="Who reads this field?"
              onPick={onImpact}
            />
          ) : null}
          {onAsk ? (
            <FieldQuestion field={line.field} word="why?" says="Why this value?" onPick={onAsk} />
          ) : null}
        </span>
      ) : null}
    </div>
  );
}

function FieldQuestion({
  field,
  word,
  says,
  onPick,
}: {
  field: string;
  word: string;
  says: string;
  onPick: FieldQuestionHandler;
}) {
  return (
    <button
      type="button"
      className="yaml-ask"
      tabIndex={-1}
      aria-label={`${says} ${field}`}
      title={`${says} ${field}`}
      onClick={() => onPick(field)}
    >
      {word}
    </button>
  );
}
