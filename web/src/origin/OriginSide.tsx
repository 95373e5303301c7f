// The side panel: expected and actual labels, proof, fix, and other effects of the write.
import type {Origin} from '@krtscope/shared/origin.ts';
import type {TraceAnswer} from '@krtscope/shared/run.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {CopyCommand} from '../ui/controls/CopyButton.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {OutcomeWord, StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {FixTrial, useFixTrial} from '../what-if/FixTrial.tsx';
import {openWhatIf} from '../what-if/open-what-if.ts';
import {isProved} from './origin-words.ts';
import './origin-side.css';

export function OriginSide({origin}: {origin: Origin}) {
  return (
    <aside className="origin-side" aria-label="What would help">
      <ExpectedAndActual origin={origin} />
      {isProved(origin) ? (
        <p className="side-proved">
          <Icon name="check" size={13} /> <b>Proved:</b> without this write the result differs.
        </p>
      ) : null}
      <Remedies origin={origin} />
      <AlsoChanged origin={origin} />
    </aside>
  );
}

/** A fix that was tried and does not work comes after the other offer. */
function Remedies({origin}: {origin: Origin}) {
  const {collection, key, field, fix, fixNote, steps} = origin;
  const query = new URLSearchParams(field === undefined ? {} : {field});
  if (steps[0]?.kind === 'empty') query.set('input', '1');
  const trial = useFixTrial(
    `/origin/${encodeURIComponent(collection)}/${encodeURIComponent(key)}?${query}`,
    fix,
  );
  const card =
    fix === undefined ? null : (
      <section className="side-card side-fix" aria-label="Fix" key="fix">
        <header className="side-title">Fix</header>
        <CopyCommand command={fix} />
        {trial === undefined ? null : (
          <div className="side-foot">
            <FixTrial state={trial} subject="it" />
          </div>
        )}
        {fixNote ? <p className="side-foot">{fixNote}</p> : null}
        <p className="side-foot">krtscope is read-only. Run the command yourself.</p>
      </section>
    );
  const undone = <UndoneWrite origin={origin} key="undone" />;
  return trial === 'does-not-end' ? [undone, card] : [card, undone];
}

function ExpectedAndActual({origin}: {origin: Origin}) {
  const step = origin.steps.find(one => one.evidence.clauses.some(clause => clause.matchesNew === false));
  const candidate = step?.evidence.candidate;
  if (!step || !candidate) return null;
  const {clauses} = step.evidence;
  const failing = clauses.filter(clause => clause.matchesNew === false);
  return (
    <section className="side-card" aria-label="Expected and actual">
      <table className="side-match">
        <thead>
          <tr>
            <th scope="col">looks for</th>
            <th scope="col" title={`${candidate.collection} ${candidate.key}`}>
              {candidate.collection} {candidate.key.split('/').at(-1)} has
            </th>
          </tr>
        </thead>
        <tbody>
          {clauses.map(clause => (
            <tr key={clause.clause} className={clause.matchesNew === false ? 'side-differs' : ''}>
              <td>
                {clause.matchesNew === false ? <StateGlyph tone="error" size={8} /> : null} {clause.clause}{' '}
                {clause.wants}
              </td>
              <td>{clause.new || 'none'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="side-foot">
        {failing.length} of {clauses.length} {failing.length === 1 ? 'differs' : 'differ'}
      </p>
    </section>
  );
}

/** What if the write had not happened. */
function UndoneWrite({origin: {write}}: {origin: Origin}) {
  if (write === null) return null;
  const {collection, key, sequence} = write;
  return (
    <Button
      size="small"
      title="Try in a copy of the graph what would be without this write"
      onClick={() => openWhatIf({collection, key}, {undos: [{sequence, collection, key}]})}
    >
      What if it had not been written…
    </Button>
  );
}

const MAX_CHANGES_SHOWN = 6;

/** The other results of the same write. A fix of the write fixes them too. */
function AlsoChanged({origin}: {origin: Origin}) {
  const {write, steps} = origin;
  const wave = useAnswer<TraceAnswer>(
    write === null ? null : `/trace?since=${write.sequence - 1}&until=${write.sequence}&limit=200`,
  );
  const onTheWay = new Set(steps.map(step => step.run));
  const runs = (wave.answer?.runs ?? []).filter(
    run => run.sequence === write?.sequence && !onTheWay.has(run.id) && run.outcome !== 'equal',
  );
  if (runs.length === 0) return null;
  return (
    <section className="side-card" aria-label="The same write also changed">
      <header className="side-title">
        The same write also changed <span className="side-count">{runs.length}</span>
      </header>
      <ul className="side-list plain-list">
        {runs.slice(0, MAX_CHANGES_SHOWN).map(run => (
          <li key={run.id}>
            <ItemChip collection={run.collection} itemKey={run.outputs[0]?.key ?? run.input} longest={22} />
            <OutcomeWord outcome={run.outcome} />
          </li>
        ))}
      </ul>
      {runs.length > MAX_CHANGES_SHOWN ? (
        <p className="side-foot">and {runs.length - MAX_CHANGES_SHOWN} more</p>
      ) : null}
    </section>
  );
}
