// The answer of What if: the summary, incidents, and the difference by collection.
import type {RowDifference, SupposedIncident, WhatIf} from '@krtscope/shared/what-if/what-if.ts';
import {
  eventOf,
  eventSummary,
  incidentSummary,
  rowSummary,
  shownDifferences,
} from '@krtscope/shared/what-if/what-if-text.ts';
import {changeLines, Diff} from '../ui/code/Diff.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {plural} from '../ui/text/plural.ts';

const MAX_ROWS = 100;
/** Collections with few rows are open from the start. */
const OPEN_ROWS = 10;

export function WhatIfResult({answer}: {answer: WhatIf}) {
  const {collections, incidents, notes, runs, stopped, sequence} = answer;
  return (
    <div className="what-if-answer" role="status">
      <p className="what-if-summary">
        <b>{rowSummary(answer)}</b> {incidentSummary(answer)}
      </p>
      <IncidentList title="Would begin" tone="begun" incidents={incidents.begun} />
      <IncidentList title="Would end" tone="ended" incidents={incidents.ended} />
      {Object.entries(collections).map(([name, rows]) => (
        <CollectionDifference key={name} name={name} rows={rows} />
      ))}
      <ul className="what-if-notes plain-list" aria-label="Notes">
        {notes.map(note => (
          <li key={note}>{note}</li>
        ))}
        <li>
          Tried at #{sequence}: {plural(runs, 'run')}, {stopped.length} without a change.
        </li>
      </ul>
    </div>
  );
}

function IncidentList({
  title,
  tone,
  incidents,
}: {
  title: string;
  tone: 'begun' | 'ended';
  incidents: readonly SupposedIncident[];
}) {
  if (incidents.length === 0) return null;
  return (
    <section className={`what-if-incidents what-if-${tone}`} aria-label={title}>
      <span className="label">{title}</span>
      <ul className="plain-list">
        {incidents.map(({id, title: what, severity}) => (
          <li key={id} className="row gap-6">
            <Icon name={tone === 'begun' ? 'warning' : 'check'} size={14} />
            <span>
              {what} <span className="what-if-severity">({severity})</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CollectionDifference({name, rows}: {name: string; rows: readonly RowDifference[]}) {
  return (
    <details className="what-if-collection" open={rows.length <= OPEN_ROWS}>
      <summary>
        <b>{name}</b> <span className="what-if-counts">{eventSummary(rows)}</span>
      </summary>
      <ul className="plain-list">
        {rows.slice(0, MAX_ROWS).map(row => (
          <li key={row.key} className={`what-if-row what-if-row-${eventOf(row)}`}>
            <div className="row gap-8">
              <ItemChip collection={name} itemKey={row.key} />
              <span className="what-if-event">would be {eventOf(row)}</span>
              <RowCause row={row} />
            </div>
            {eventOf(row) === 'changed' ? (
              <Diff lines={changeLines(shownDifferences(row))} label={`Difference of ${row.key}`} />
            ) : null}
          </li>
        ))}
      </ul>
      {rows.length > MAX_ROWS ? <p>{rows.length - MAX_ROWS} more rows</p> : null}
    </details>
  );
}

function RowCause({row}: {row: RowDifference}) {
  const cause = row.run?.causes[0];
  if (cause?.collection === undefined) return null;
  return (
    <span className="what-if-cause ellipsis">
      because of {cause.collection} {cause.key}
    </span>
  );
}
