// Whether an attached program is behind its cluster: its informers compared with the cluster's own session.
import type {CollectionLag, LagAnswer} from '@krtscope/shared/programs/lag.ts';
import {useEffect, useState} from 'react';
import {useApp} from '../store/app.ts';
import {select} from '../store/navigation.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {adviceSentence} from '../ui/text/hint-text.ts';
import {plural} from '../ui/text/plural.ts';
import {ProgramLog} from './ProgramLog.tsx';
import './informer-lag.css';

/** The server compares once for each document, about once a second. */
const REFRESH_MS = 2000;

export function InformerLag() {
  const session = useApp(state => state.route.session);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn(n => n + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const {answer} = useAnswer<LagAnswer>(`/sessions/${encodeURIComponent(session ?? '')}/lag`, turn);
  const rows = sortByLag(answer?.collections ?? []);
  return (
    <section className="informer-lag" aria-label="Behind the cluster">
      <header className="informer-lag-head row gap-8">
        <h2 className="panel-title">Behind the cluster</h2>
        <span className="panel-note ellipsis" title={noteOf(answer)}>
          {noteOf(answer)}
        </span>
      </header>
      {answer?.reason === undefined ? null : (
        <p className="informer-lag-none">
          Not compared: {answer.reason}. {answer.hint === undefined ? '' : adviceSentence(answer.hint)}
        </p>
      )}
      {rows.length === 0 ? null : (
        <div className="informer-lag-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Informer</th>
                <th scope="col">Same</th>
                <th scope="col">Behind</th>
                <th scope="col">Missing</th>
                <th scope="col">Deleted</th>
                <th scope="col">For</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <LagTableRow key={row.name} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ProgramLog />
    </section>
  );
}

function LagTableRow({row}: {row: CollectionLag}) {
  const names = row.rows.map(({key, state}) => `${key} (${state === 'extra' ? 'deleted' : state})`);
  return (
    <tr className={row.rows.length > 0 ? 'tone-stale' : undefined} title={names.join('\n')}>
      <th scope="row">
        <button type="button" className="bare-button ellipsis" onClick={() => select({collection: row.name})}>
          {row.name}
        </button>
        {row.rows.length > 0 ? <span className="informer-lag-names ellipsis">{names.join(', ')}</span> : null}
      </th>
      <td>{row.same}</td>
      <td>{row.behind}</td>
      <td title={row.selective ? 'This informer selects some objects, so it may lack others.' : undefined}>
        {row.selective ? `(${row.missing})` : row.missing}
      </td>
      <td>{row.extra}</td>
      <td>{row.rows.length > 0 ? `${Math.round(row.behindSeconds)} s` : '–'}</td>
    </tr>
  );
}

function noteOf(answer: LagAnswer | undefined): string {
  if (answer === undefined) return 'comparing';
  if (answer.reason !== undefined) return '';
  const late = answer.collections.filter(({rows}) => rows.length > 0).length;
  const all = plural(answer.collections.length, 'informer');
  return late === 0 ? `no: ${all} compared with ${answer.cluster}` : `${late} of ${all} differ`;
}

function sortByLag(rows: readonly CollectionLag[]): CollectionLag[] {
  return rows.toSorted((a, b) => b.behindSeconds - a.behindSeconds || (a.name < b.name ? -1 : 1));
}
