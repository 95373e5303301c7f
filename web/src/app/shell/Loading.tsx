// A loading message. It appears after a delay, so that quick loads do not blink.
import './loading.css';

export function Loading({what}: {what: string}) {
  return (
    <div className="loading row gap-10" role="status">
      <span className="loading-dot" aria-hidden="true" />
      Loading {what}…
    </div>
  );
}
