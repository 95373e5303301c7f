// Neat YAML: not coloured at all; only the line that changed is, with what it was.
import {useMemo, useState} from 'react';
import {Icon} from './Icon.tsx';
import {neat, type YamlLine} from './neat.ts';
import './yaml.css';

export function Yaml({
  value,
  previous,
  changed = [],
  label = 'Value',
}: {
  value: unknown;
  previous?: unknown;
  changed?: string[];
  label?: string;
}) {
  const block = useMemo(() => neat(value, previous, changed), [value, previous, changed]);
  const [open, setOpen] = useState<string[]>([]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls, and the keyboard must reach it
    <figure className="yaml" aria-label={label} tabIndex={0}>
      {block.lines.map((line, at) => (
        <Line key={`${line.path}:${line.name}`} line={line} number={at + 1} />
      ))}
      {block.folds.map(fold => {
        const shown = open.includes(fold.path);
        return (
          <div key={fold.path}>
            <button
              type="button"
              className="yaml-fold"
              aria-expanded={shown}
              onClick={() => setOpen(shown ? open.filter(one => one !== fold.path) : [...open, fold.path])}
            >
              <span className="yaml-number">
                <Icon name={shown ? 'down' : 'right'} size={12} />
              </span>
              {fold.label}{' '}
              <span className="yaml-folded">
                {fold.lines.length} lines {shown ? 'shown' : 'folded'}
              </span>
            </button>
            {shown ? fold.lines.map(line => <Line key={`${line.path}:${line.name}`} line={line} />) : null}
          </div>
        );
      })}
    </figure>
  );
}

function Line({line, number}: {line: YamlLine; number?: number}) {
  return (
    <div className={`yaml-line ${line.changed ? 'yaml-changed' : ''}`}>
      <span className="yaml-number" aria-hidden="true">
        {number}
      </span>
      <span className="yaml-text">
        {'\u00a0'.repeat(line.indent)}
        <span className="yaml-name">{line.name}</span> {line.text}
      </span>
      {line.was === undefined ? null : <span className="yaml-was">was {line.was}</span>}
    </div>
  );
}
