// The run of the selected row: each fetch with its matches, then the result.

import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import {useKind} from '../../stream/use-subscription.ts';
import {inlineText} from '../../ui/code/yaml-lines.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {ItemChip} from '../../ui/indicators/ItemChip.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {shortenMiddle} from '../../ui/text/shorten-middle.ts';
import {errorLine, errorText, type PreviewFetch, viaText} from '../formula-api.ts';
import './fetch-tree.css';
import {matchCount} from '../../ui/text/match-count.ts';

export function FetchTree({
  chosen,
  row,
  reads,
  step,
  onStep,
  onLine,
}: {
  chosen: string | undefined;
  row: PreviewRow | undefined;
  /** Paths of the input that the formula reads. */
  reads: readonly string[];
  /** The highlighted step: the index of a fetch, or the count of fetches for the result. */
  step: number | null;
  onStep: (step: number | null) => void;
  onLine: (line: number, column?: number) => void;
}) {
  const count = row === undefined ? 0 : row.fetches.length;
  return (
    <section className="lab-pane lab-tree column" aria-label="Fetch tree">
      <header className="lab-pane-head">
        <h2 className="label">Fetch tree</h2>
        {chosen === undefined ? null : (
          <span className="mono lab-pane-note" title={chosen}>
            {shortenMiddle(chosen, 36)}
          </span>
        )}
      </header>
      <div className="lab-pane-body">
        {chosen === undefined || row === undefined ? (
          <p className="lab-hint">
            {chosen === undefined
              ? 'Click a row above to see its fetches and its result.'
              : 'This row has not run yet.'}
          </p>
        ) : (
          <>
            <ol className="plain-list">
              {row.fetches.map((fetch, at) => (
                <FetchNode
                  // biome-ignore lint/suspicious/noArrayIndexKey: fetches of one run have no other identity
                  key={at}
                  fetch={fetch}
                  lit={step === at}
                  dimmed={step !== null && at > step}
                  onPick={() => onStep(at)}
                />
              ))}
            </ol>
            {count === 0 ? (
              <p className="lab-hint">No fetches. The result depends on the input only.</p>
            ) : null}
            <ReturnValue
              row={row}
              lit={step === count}
              dimmed={step !== null && step < count}
              onLine={onLine}
            />
            {reads.length > 0 ? (
              <p className="tree-reads row">
                <Icon name="eye" size={14} /> reads{' '}
                {reads.map(path => (
                  <code key={path}>{path}</code>
                ))}
              </p>
            ) : null}
            {step === null ? null : (
              <div className="tree-step row" role="status">
                Step {step + 1} of {count + 1}
                <Button size="small" look="ghost" onClick={() => onStep(null)}>
                  Whole run
                </Button>
              </div>
            )}
          </>
        )}
      </div>
    </section>
  );
}

function FetchNode({
  fetch,
  lit,
  dimmed,
  onPick,
}: {
  fetch: PreviewFetch;
  lit: boolean;
  dimmed: boolean;
  onPick: () => void;
}) {
  const kind = useKind(fetch.collection);
  const via = viaText(fetch.via);
  const {keys} = fetch;
  return (
    <li className={`tree-fetch ${lit ? 'tree-lit' : ''} ${dimmed ? 'tree-dimmed' : ''}`}>
      <button
        type="button"
        className="tree-head row bare-button"
        aria-current={lit ? 'step' : undefined}
        onClick={onPick}
      >
        <KindShape kind={kind} />
        <b>{fetch.collection}</b>
        <span className="mono tree-filter ellipsis" title={fetch.filter}>
          {fetch.filter}
        </span>
        <span className={`mono tree-count ${fetch.matched === 0 ? 'tree-miss' : ''}`}>
          {matchCount(fetch)}
        </span>
      </button>
      <div className="tree-via row gap-6">
        {via.indexed ? <span className="tree-mark">#</span> : <Icon name="warning" size={13} />}
        <span className={via.indexed ? '' : 'tone-changed'}>{via.words}</span>
        <span>
          {fetch.line === undefined ? '' : `line ${fetch.line}, `}scanned {fetch.scanned}
        </span>
      </div>
      {keys.length > 0 ? (
        <ul className="tree-keys plain-list">
          {keys.slice(0, 5).map(key => (
            <li key={key}>
              <ItemChip collection={fetch.collection} itemKey={key} longest={34} view="sheet" />
            </li>
          ))}
          {fetch.matched > 5 ? <li className="tree-more">{fetch.matched - 5} more</li> : null}
        </ul>
      ) : null}
    </li>
  );
}

function ReturnValue({
  row,
  lit,
  dimmed,
  onLine,
}: {
  row: PreviewRow;
  lit: boolean;
  dimmed: boolean;
  onLine: (line: number, column?: number) => void;
}) {
  const line = errorLine(row.error);
  return (
    <div
      className={`tree-return ${row.error ? 'tree-return-error' : ''} ${lit ? 'tree-lit' : ''} ${dimmed ? 'tree-dimmed' : ''}`}
    >
      <span className="tree-word">{row.error ? 'throws' : 'return'}</span>
      {row.error ? (
        <p className="tree-error">
          <StateGlyph tone="error" size={9} /> {errorText(row.error)}{' '}
          {line === undefined ? null : (
            <button type="button" className="lab-link" onClick={() => onLine(line)}>
              line {line}
            </button>
          )}
        </p>
      ) : row.items.length === 0 ? (
        <code>
          {row.waitingFor
            ? `waits for ${row.waitingFor}`
            : row.discarded
              ? 'discarded: the previous result stays'
              : 'null'}
        </code>
      ) : (
        row.items.slice(0, 8).map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: results of one run have no other identity
          <ResultBox key={at} item={item} />
        ))
      )}
      {row.items.length > 8 ? <p className="tree-more">{row.items.length - 8} more</p> : null}
    </div>
  );
}

function ResultBox({item}: {item: unknown}) {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return <code>{inlineText(item)}</code>;
  return (
    <dl className="tree-result">
      {Object.entries(item).map(([name, value]) => (
        <div key={name}>
          <dt>{name}:</dt>
          <dd title={inlineText(value)}>{inlineText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
