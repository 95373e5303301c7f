// The evidence of a why-not answer: clauses, recorded dependencies, reactions, sync blockers.
import type {EvidenceClause, Evidence as EvidenceValue, WhyNot} from '@krtscope/shared/why.ts';
import {navigate} from '../store/app.ts';
import {useKind} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {KindShape} from '../ui/indicators/collection-kind.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {OutcomeWord, StateGlyph, ToneWord} from '../ui/indicators/outcome-state.tsx';
import {Panel} from '../ui/layout/Panel.tsx';
import './evidence.css';
import {matchCount} from '../ui/text/match-count.ts';

export function PredicateClauses({evidence}: {evidence: EvidenceValue}) {
  const {clauses} = evidence;
  if (clauses.length === 0) return null;
  const rv = evidence.last?.resourceVersion;
  const failing = (side: 'matchesOld' | 'matchesNew') =>
    clauses.filter(clause => clause[side] === false).length;
  const verdict = (failed: number, known: boolean) =>
    !known ? (
      <span className="clause-none">none</span>
    ) : failed === 0 ? (
      <>
        <Icon name="check" size={13} /> match
      </>
    ) : (
      <span className="no-match inline-row gap-6">
        <StateGlyph tone="error" size={8} /> {failed} of {clauses.length} {failed === 1 ? 'fails' : 'fail'}
      </span>
    );
  return (
    <Panel title="Filter, clause by clause" note={<code>{evidence.fetch}</code>}>
      <table className="clauses">
        <thead>
          <tr>
            <th scope="col">Clause</th>
            <th scope="col">Wants</th>
            <th scope="col" className="clause-old">
              Old{rv?.old ? `, rv ${rv.old}` : ''}
            </th>
            <th scope="col">New{rv?.new ? `, rv ${rv.new}` : ''}</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {clauses.map(clause => (
            <ClauseRow key={`${clause.clause} ${clause.wants}`} clause={clause} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All clauses</th>
            <td>AND</td>
            <td className="clause-old">
              {verdict(
                failing('matchesOld'),
                clauses.some(clause => clause.matchesOld !== undefined),
              )}
            </td>
            <td>
              {verdict(
                failing('matchesNew'),
                clauses.some(clause => clause.matchesNew !== undefined),
              )}
            </td>
            <td>
              {failing('matchesNew') > 0 ? (
                <span className="no-match inline-row gap-6">
                  <StateGlyph tone="error" size={8} /> no match
                </span>
              ) : (
                <>
                  <Icon name="check" size={13} /> match
                </>
              )}
            </td>
          </tr>
        </tfoot>
      </table>
    </Panel>
  );
}

function ClauseRow({clause}: {clause: EvidenceClause}) {
  const failed = clause.matchesNew === false;
  const value = (text: string | undefined, matches: boolean | undefined) => (
    <code className={matches === false ? 'clause-wrong' : ''}>
      {text === undefined || text === '' ? 'none' : text}
    </code>
  );
  return (
    <tr className={failed ? 'clause-failed' : ''}>
      <td>
        <code>{clause.clause}</code>
      </td>
      <td>
        <code>{clause.wants}</code>
      </td>
      <td className="clause-old">{value(clause.old, clause.matchesOld)}</td>
      <td>{value(clause.new, clause.matchesNew)}</td>
      <td>
        {failed ? (
          <span className="no-match inline-row gap-6">
            <StateGlyph tone="error" size={8} /> no match
          </span>
        ) : (
          <span className="inline-row gap-6">
            <Icon name="check" size={13} /> {clause.matchesOld === false ? 'new only' : 'match'}
          </span>
        )}
      </td>
    </tr>
  );
}

export function RecordedDependencies({answer}: {answer: WhyNot}) {
  const {looked, run} = answer.evidence;
  return (
    <Panel
      title="Recorded dependencies"
      note={
        run
          ? `${looked.length} ${looked.length === 1 ? 'dependency' : 'dependencies'} of run #${run.id}`
          : 'no run recorded'
      }
      aside={
        run ? (
          <Button look="ghost" size="small" onClick={() => showRun(answer)}>
            Show run
          </Button>
        ) : undefined
      }
    >
      <table className="evidence-table">
        <tbody>
          {looked.map(fetch => (
            <tr key={`${fetch.collection} ${fetch.filter}`}>
              <td>
                <CollectionName name={fetch.collection} />
              </td>
              <td>
                <code title={fetch.filter}>{fetch.filter}</code>
              </td>
              <td className="number">{matchCount(fetch)}</td>
              <td className="dim">
                {fetch.via.kind === 'index' ? (
                  <>
                    <i className="legend-index inline-row">#</i> {fetch.via.name ?? 'index'}
                  </>
                ) : (
                  <ToneWord tone="changed">unindexed</ToneWord>
                )}
              </td>
            </tr>
          ))}
          {looked.length === 0 ? (
            <tr>
              <td className="dim" colSpan={4}>
                The run recorded no dependencies. Only a change of its input can start it again.
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </Panel>
  );
}

export function ReactedCollections({answer}: {answer: WhyNot}) {
  const {reacted, last} = answer.evidence;
  if (reacted.length === 0) return null;
  return (
    <Panel title="Collections that reacted" note={last ? `change #${last.sequence}` : undefined}>
      <table className="evidence-table">
        <tbody>
          {reacted.map(one => (
            <tr key={`${one.collection} ${one.filter}`} className={one.runs === 0 ? 'quiet' : ''}>
              <td>
                <CollectionName name={one.collection} />
              </td>
              <td>
                <code title={one.filter}>{one.filter}</code>
              </td>
              <td className="number">
                {one.runs} {one.runs === 1 ? 'run' : 'runs'}
              </td>
              <td>{one.outcome ? <OutcomeWord outcome={one.outcome} /> : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

export function SyncBlockers({evidence}: {evidence: EvidenceValue}) {
  if (evidence.holders.length === 0) return null;
  return (
    <Panel title="Waiting for" note="up to the first source that is not synced">
      <ol className="holders">
        {evidence.holders.map(holder => (
          <li key={holder.collection}>
            <CollectionName name={holder.collection} /> <ToneWord tone="stale">{holder.state}</ToneWord>{' '}
            <span className="dim">{holder.reason}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

export function showRun(answer: WhyNot): void {
  navigate({
    view: 'why',
    collection: answer.collection,
    key: answer.key,
    run: answer.evidence.run?.id ?? null,
  });
}

function CollectionName({name}: {name: string}) {
  const kind = useKind(name);
  return (
    <span className="inline-row gap-8">
      <KindShape kind={kind} size={14} /> {name}
    </span>
  );
}
