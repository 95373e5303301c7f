// Compares two runs of one item. Differences are tinted.
import type {Why} from '@krtscope/shared/why.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {ErrorState, Panel} from '../ui/layout/Panel.tsx';
import {compareRuns} from './run-differences.ts';
import './run-comparison.css';

export function RunComparison({
  path,
  why,
  marked,
  onEnd,
}: {
  path: string;
  why: Why;
  marked: string;
  onEnd: () => void;
}) {
  const other = useAnswer<Why>(`${path}?run=${encodeURIComponent(marked)}`);
  return (
    <Panel
      title="Two runs compared"
      note={`#${marked} and #${why.run?.id ?? ''}`}
      aside={
        <Button size="small" keys="x" onClick={onEnd}>
          End
        </Button>
      }
      className="compare"
    >
      {other.failure ? <ErrorState failure={other.failure} /> : null}
      {other.answer ? (
        <table className="compare-table">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">run #{marked}</th>
              <th scope="col">run #{why.run?.id}</th>
            </tr>
          </thead>
          <tbody>
            {compareRuns(other.answer, why).map(row => (
              <tr key={row.what} className={row.differs ? 'differs' : ''}>
                <th scope="row">{row.what}</th>
                <td>{row.left}</td>
                <td>{row.differs ? row.right : <span className="same">same</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </Panel>
  );
}
