// Compares the draft with an existing column and shows each difference.

import type {Shadow} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import {useState} from 'react';
import {Diff, type DiffLine} from '../../ui/code/Diff.tsx';
import {inlineText} from '../../ui/code/yaml-lines.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Menu} from '../../ui/controls/Menu.tsx';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {shortenMiddle} from '../../ui/text/shorten-middle.ts';
import type {ShadowRow} from '../formula-api.ts';
import './shadow-panel.css';

type ShadowGroup = 'different' | 'onlyDraft' | 'onlyOther';
const groupWords: Record<ShadowGroup, [one: string, many: string]> = {
  different: ['differs', 'differ'],
  onlyDraft: ['only in the draft', 'only in the draft'],
  onlyOther: ['only in the column', 'only in the column'],
};

export function ShadowPanel({
  graph,
  chosen,
  shadow,
  failed,
  onChoose,
}: {
  graph: Graph | null;
  chosen: string | undefined;
  shadow: Shadow | undefined;
  failed: number;
  onChoose: (name: string | undefined) => void;
}) {
  const [open, setOpen] = useState<ShadowGroup>('different');
  const candidates = (graph?.collections ?? []).filter(node => node.kind !== 'source');
  const rows = (shadow?.rows ?? []).filter(row => row.state === open);
  const total = shadow ? shadow.same + shadow.different + shadow.onlyDraft + shadow.onlyOther : 0;
  return (
    <section className="lab-pane lab-shadow" aria-label="Shadow">
      <header className="lab-pane-head">
        <h2 className="label">Shadow</h2>
        <span className="lab-pane-note">vs</span>
        <Menu
          label="Compare with"
          trigger={props => (
            <Button {...props} size="small" keys="d" id="lab-shadow">
              {chosen ?? 'a column…'}
            </Button>
          )}
          items={[
            ...(chosen === undefined
              ? []
              : [{id: '', label: 'Stop comparing', onPick: () => onChoose(undefined)}]),
            ...candidates.map(node => ({
              id: node.name,
              label: (
                <>
                  <KindShape kind={node.kind} size={14} /> {node.name}
                </>
              ),
              checked: node.name === chosen,
              onPick: () => onChoose(node.name),
            })),
          ]}
        />
      </header>
      {chosen === undefined ? (
        <p className="lab-hint">Choose an existing column to compare every row of the draft with.</p>
      ) : shadow === undefined ? (
        <p className="lab-hint">Comparing…</p>
      ) : (
        <>
          <ShadowBar shadow={shadow} total={total} failed={failed} />
          <div className="shadow-counts">
            <span>
              <b>{shadow.same.toLocaleString('en')}</b> same
            </span>
            {(Object.keys(groupWords) as ShadowGroup[]).map(group =>
              shadow[group] === 0 ? null : (
                <button
                  key={group}
                  type="button"
                  className={`shadow-count bare-button shadow-${group}`}
                  aria-pressed={open === group}
                  onClick={() => setOpen(group)}
                >
                  <b>{shadow[group].toLocaleString('en')}</b> {groupWords[group][shadow[group] === 1 ? 0 : 1]}
                </button>
              ),
            )}
            {failed > 0 ? (
              <span className="tone-error">
                <b>{failed}</b> {failed === 1 ? 'error' : 'errors'}
              </span>
            ) : null}
          </div>
          {total === shadow.same && total > 0 ? <p className="lab-hint">Every row is the same.</p> : null}
          <div className="shadow-rows">
            {rows.slice(0, 20).map(row => (
              <div key={row.key} className="shadow-row">
                <p className="mono shadow-key" title={row.key}>
                  {shortenMiddle(row.key, 44)}
                </p>
                <Diff lines={shadowDiffLines(row)} label={`Difference of ${row.key}`} />
              </div>
            ))}
            {rows.length > 20 ? <p className="lab-hint">{rows.length - 20} more not shown.</p> : null}
          </div>
        </>
      )}
    </section>
  );
}

function ShadowBar({shadow, total, failed}: {shadow: Shadow; total: number; failed: number}) {
  const all = Math.max(1, total + failed);
  const part = (count: number, className: string) =>
    count === 0 ? null : <span className={className} style={{flexGrow: Math.max(count, all / 60)}} />;
  return (
    <div className="shadow-bar" aria-hidden="true">
      {part(shadow.same, 'shadow-bar-same')}
      {part(shadow.different, 'shadow-bar-different')}
      {part(shadow.onlyDraft, 'shadow-bar-mine')}
      {part(shadow.onlyOther, 'shadow-bar-theirs')}
      {part(failed, 'shadow-bar-error')}
    </div>
  );
}

/** The other column is the old side, the draft the new side. Equal fields are left out. */
export function shadowDiffLines(row: ShadowRow): DiffLine[] {
  const lines: DiffLine[] = [];
  const mine = flattenValue(row.draft);
  const theirs = flattenValue(row.other);
  for (const path of [...new Set([...theirs.keys(), ...mine.keys()])].sort()) {
    const [old, now] = [theirs.get(path), mine.get(path)];
    if (old === now) continue;
    const name = path === '' ? '' : `${path}: `;
    if (old !== undefined) lines.push({sign: '-', text: name + old});
    if (now !== undefined) lines.push({sign: '+', text: name + now});
  }
  return lines;
}

function flattenValue(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
  if (value === undefined) return into;
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) into.set(path, inlineText(value));
  else
    for (const [name, inner] of Object.entries(value))
      flattenValue(
        inner,
        Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`,
        into,
      );
  return into;
}
