// What is wrong with this controller now, above its queue. A click opens the request that shows it.
import {setParams} from '../store/app.ts';
import {Icon} from '../ui/indicators/Icon.tsx';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import type {ControllerProblem} from './controller-incidents.ts';
import './controller-problems.css';

export function ControllerProblems({problems}: {problems: readonly ControllerProblem[]}) {
  if (problems.length === 0) return null;
  return (
    <ul className="controller-problems plain-list" aria-label="Problems">
      {problems.map(({code, severity, title, message, hint, reconcile: {request}}) => (
        <li key={code} className={severity === 'error' ? 'is-error' : 'is-warning'}>
          {severity === 'error' ? <StateGlyph tone="error" size={11} /> : <Icon name="warning" size={13} />}
          <span>
            {request === undefined ? (
              <b>{title}</b>
            ) : (
              <button type="button" className="text-link" onClick={() => setParams({k: request, a: null})}>
                {title}
              </button>
            )}
            . {message}.{hint === undefined ? null : <em> {hint}.</em>}
          </span>
        </li>
      ))}
    </ul>
  );
}
