// An attempt's steps on one time axis, from the moment it was enqueued.
import {type AttemptStep, axisTexts, durationText} from './attempt-timing.ts';
import './attempt-steps.css';

export function AttemptSteps({steps, took}: {steps: readonly AttemptStep[]; took: number}) {
  // The axis begins with the run: a long wait in the queue would shrink the run to nothing.
  const span = Math.max(0.1, took);
  const part = (at: number) => Math.min(100, Math.max(0, (at / span) * 100));
  return (
    <table className="steps" aria-label="Steps">
      <thead>
        <tr>
          <th>Step</th>
          <th aria-label="What" />
          <th>From</th>
          <th className="steps-axis" aria-label="Time">
            <div>
              {axisTexts(span).map(text => (
                <span key={text}>{text}</span>
              ))}
            </div>
          </th>
          <th className="steps-took">Took</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place on the way
          <tr key={at} className={step.failed ? 'is-failed' : ''}>
            <td className="steps-verb">{step.verb}</td>
            <td className="steps-text ellipsis" title={step.text}>
              {step.text}
            </td>
            <td>
              <span className={`steps-from from-${step.from.replace(' ', '-')}`}>{step.from}</span>
              {step.stale && (
                <span
                  className="steps-stale"
                  title="Stale: the cache had not yet received an earlier write of this program to what was read. The option readOwnWrites makes reads wait."
                >
                  stale
                </span>
              )}
            </td>
            <td className="steps-bar">
              <i
                className={`from-${step.from.replace(' ', '-')}`}
                style={{
                  left: `${part(step.start)}%`,
                  width: `max(3px, ${part(step.start + step.took) - part(step.start)}%)`,
                }}
              />
            </td>
            <td className="steps-took">{step.took === 0 ? '·' : durationText(step.took)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
