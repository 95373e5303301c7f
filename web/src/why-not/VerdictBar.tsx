// All verdicts in order, each with the fact that excluded it. A menu in narrow windows.
import type {WhyNot} from '@krtscope/shared/why.ts';
import {useWindowWidth} from '../ui/hooks/use-window-width.ts';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {checkedVerdicts, noOutputWords, verdictWords} from './verdict-words.ts';
import './verdict-bar.css';

export function VerdictBar({answer}: {answer: WhyNot}) {
  const narrow = useWindowWidth() < 1100;
  const words = answer.expected ? verdictWords : noOutputWords;
  const ruled = checkedVerdicts(answer);
  const at = ruled.findIndex(one => one.held);
  if (narrow)
    return (
      <details className="verdict-menu">
        <summary>
          Verdict {at + 1} of {ruled.length}: <b>{words[answer.verdict]}</b>
        </summary>
        <ol>
          {ruled.map(one => (
            <li key={one.verdict} aria-current={one.held ? 'true' : undefined}>
              <b>{words[one.verdict]}</b> {one.reason}
            </li>
          ))}
        </ol>
      </details>
    );
  return (
    <ol className="verdicts plain-list" aria-label="Verdicts">
      {ruled.map((one, position) => (
        <li
          key={one.verdict}
          className={`verdict ${one.held ? 'verdict-held' : ''}`}
          aria-current={one.held ? 'true' : undefined}
        >
          <span className="verdict-number">{position + 1}</span>
          <span className="verdict-name">{words[one.verdict]}</span>
          <span className="verdict-reason">
            {one.held ? (
              <span className="verdict-this inline-row gap-6">
                <StateGlyph tone="error" size={8} /> this one
              </span>
            ) : (
              one.reason
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
