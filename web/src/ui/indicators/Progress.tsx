// A progress bar.
import './progress.css';

export function Progress(props: {done: number; of: number; label: string}) {
  return <progress className="progress" max={props.of} value={props.done} aria-label={props.label} />;
}
