// A part that is on its way: says which, after a moment; a quick one never blinks.
import './loading.css';

export function Loading({what}: {what: string}) {
  return (
    <div className="loading row gap-10" role="status">
      <span className="loading-dot" aria-hidden="true" />
      {what} is on its way
    </div>
  );
}
