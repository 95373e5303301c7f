// Results of runs over the last five minutes: done grey, requeued violet, failed red.
import type {ControllerAnswer} from '@krtscope/shared/controllers.ts';
import './result-bars.css';

export function ResultBars({
  results,
  width,
  height,
}: {
  results: ControllerAnswer['results'];
  width: number;
  height: number;
}) {
  const most = Math.max(1, ...results.map(({done, requeued, failed}) => done + requeued + failed));
  const step = width / results.length;
  const sum = (name: 'done' | 'requeued' | 'failed') => results.reduce((all, one) => all + one[name], 0);
  return (
    <svg
      className="result-bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`last five minutes: ${sum('done')} done, ${sum('requeued')} requeued, ${sum('failed')} failed`}
    >
      {results.map(({at, done, requeued, failed}, i) => {
        const scale = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (height - 2)));
        const [low, middle, top] = [scale(done), scale(requeued), scale(failed)];
        const bar = (tone: string, from: number, tall: number) =>
          tall === 0 ? null : (
            <rect className={tone} x={i * step} y={height - from - tall} width={step * 0.7} height={tall} />
          );
        return (
          <g key={at}>
            <rect className="bar-none" x={i * step} y={height - 1} width={step * 0.7} height={1} />
            {bar('bar-done', 0, low)}
            {bar('bar-again', low, middle)}
            {bar('bar-failed', low + middle, top)}
          </g>
        );
      })}
    </svg>
  );
}
