// How the incident began: the write, then each step with its delay, up to now. Not to scale.
import type {Incident} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {kindWords} from '../../origin/origin-words.ts';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {ageText, clockText, useNow} from '../../ui/text/Age.tsx';
import {isRecovered} from './incident-state.ts';
import './incident-story.css';

export function IncidentStory({incident, origin}: {incident: Incident; origin: Origin}) {
  const now = useNow();
  const {write} = origin;
  if (!write || origin.steps.length === 0) return null;
  // A write that was taken back and repeated is another story than the one that opened the incident.
  if (write.sequence !== incident.origin.write?.sequence) return null;
  const start = Date.parse(write.time);
  const steps = origin.steps.toReversed();
  return (
    <>
      <p className="story-title">
        <span className="label">How it began</span> <span>not to scale</span>
      </p>
      <ol className="incident-story" aria-label="How it began">
        <li className="story-write">
          <StateGlyph tone="cause" size={12} />
          <b>the write</b>
          <span>{clockText(start, true)}</span>
        </li>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same collection may be passed twice
          <li key={at}>
            <StateGlyph tone={step.kind === 'failed' ? 'error' : 'changed'} size={12} />
            <b title={step.sentence}>
              {step.collection} {step.evidence.outcome ?? kindWords[step.kind]}
            </b>
            <span>{delayText(step.evidence.at - start)}</span>
          </li>
        ))}
        <li className="story-now">
          <StateGlyph tone="noop" size={12} />
          <b>
            {incident.endedAt !== undefined ? 'ended' : isRecovered(incident) ? 'recovered' : 'still open'}
          </b>
          <span>{ageText((incident.endedAt ?? now) - incident.beganAt)}</span>
        </li>
      </ol>
    </>
  );
}

/** Clocks within the write's own batch may differ by a fraction; show no delay there. */
function delayText(milliseconds: number): string {
  if (milliseconds < 1) return 'at once';
  return milliseconds < 1000 ? `+ ${Math.round(milliseconds)} ms` : `+ ${ageText(milliseconds)}`;
}
