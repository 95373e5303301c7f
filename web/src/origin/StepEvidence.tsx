// The evidence of one step: changes, the fetch with its nearest object, and other causes.
import type {OriginCause, OriginStep} from '@krtscope/shared/origin.ts';
import {navigate} from '../store/app.ts';
import {Icon} from '../ui/indicators/Icon.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {ChangedPaths} from '../why/answer/ChangedPaths.tsx';
import {weightWords} from './origin-words.ts';
import './step-evidence.css';

export function StepEvidence({step}: {step: OriginStep}) {
  const {evidence} = step;
  const followed = evidence.causes.find(cause => cause.followed);
  const others = evidence.causes.filter(cause => !cause.followed);
  return (
    <div className="step-evidence">
      <p className="step-words">{step.sentence}.</p>
      {evidence.changes.length > 0 ? (
        <>
          {followed?.collection ? (
            <p className="step-note">
              in {followed.collection} <code>{followed.key}</code>
            </p>
          ) : null}
          <ChangedPaths changes={evidence.changes} />
        </>
      ) : null}
      {evidence.fetch ? (
        <div className="step-fetch row">
          <code title={evidence.fetch}>{evidence.fetch}</code>
          <span className="step-missed">
            <StateGlyph tone="error" size={8} /> {evidence.clauses.length > 0 ? 'does not match' : 'no match'}
          </span>
        </div>
      ) : null}
      {evidence.candidate ? (
        <p className="step-near row">
          nearest{' '}
          <ItemChip
            collection={evidence.candidate.collection}
            itemKey={evidence.candidate.key}
            longest={34}
          />
          {evidence.clauses.map(clause => (
            <span key={clause.clause} className={clause.matchesNew === false ? 'step-fails' : 'step-holds'}>
              {clause.matchesNew === false ? (
                <StateGlyph tone="error" size={8} />
              ) : (
                <Icon name="check" size={12} />
              )}{' '}
              {clause.clause} <b>{clause.wants}</b>
              {clause.matchesNew === false ? (
                <>
                  {' '}
                  has <s className="step-wrong">{clause.new || 'none'}</s>
                </>
              ) : null}
            </span>
          ))}
        </p>
      ) : null}
      {evidence.error ? <p className="step-error">{evidence.error}</p> : null}
      {evidence.waitingFor ? <p className="step-note">Waiting for {evidence.waitingFor}.</p> : null}
      {others.length > 0 ? <OtherCauses causes={others} total={evidence.causeCount} /> : null}
      {evidence.note ? <p className="step-note">{evidence.note}</p> : null}
      {step.run ? (
        <button
          type="button"
          className="text-button bare-button step-run"
          onClick={() =>
            navigate({view: 'why', collection: step.collection, key: step.key, run: step.run ?? null})
          }
        >
          Show run #{step.run}
        </button>
      ) : null}
    </div>
  );
}

const MAX_CAUSES_SHOWN = 4;

/** The other changes that started the same run, and whether each made a difference. */
function OtherCauses({causes, total}: {causes: readonly OriginCause[]; total: number}) {
  const left = total - 1 - Math.min(MAX_CAUSES_SHOWN, causes.length);
  return (
    <ul className="step-others plain-list">
      {causes.slice(0, MAX_CAUSES_SHOWN).map((cause, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one object may be a cause twice
        <li key={`${at} ${cause.collection} ${cause.key}`}>
          {cause.collection ? (
            <ItemChip collection={cause.collection} itemKey={cause.key} longest={34} />
          ) : (
            cause.kind
          )}
          <span>{weightWords[cause.weight]}</span>
        </li>
      ))}
      {left > 0 ? <li className="step-note">and {left} more</li> : null}
    </ul>
  );
}
