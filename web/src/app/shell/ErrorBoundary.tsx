// Shows an error in place of a view that throws, also when an upgrade removed its file.
import {Component, type ReactNode} from 'react';
import {Button} from '../../ui/controls/Button.tsx';
import {EmptyState} from '../../ui/layout/Panel.tsx';

/** The server was upgraded while the page was open and no longer has this file, or it did not answer. */
function isMissingPart(error: Error): boolean {
  return /dynamically imported module|module script|preload/i.test(error.message);
}

const reloadedKey = 'krtscope-reloaded';

/** At most one automatic reload in a minute, so that a broken server causes no loop. */
export function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (now - last < 60_000) return false;
    sessionStorage.setItem(reloadedKey, String(now));
    return true;
  } catch {
    return false;
  }
}

const SERVER_POLL_MS = 1000;

async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/healthz')).ok;
  } catch {
    return false;
  }
}

/** Waits for the server first: a reload without it would leave the browser's own error page for good. */
export async function reloadWhenServed(
  isWanted: () => boolean,
  reload: () => void = () => window.location.reload(),
  answers: () => Promise<boolean> = isServed,
  pollMs = SERVER_POLL_MS,
): Promise<void> {
  while (isWanted() && !(await answers())) await new Promise(resolve => setTimeout(resolve, pollMs));
  if (isWanted() && mayReload(Date.now())) reload();
}

export class ErrorBoundary extends Component<{name: string; children: ReactNode}, {error: Error | null}> {
  override state: {error: Error | null} = {error: null};
  #isGone = false;

  static getDerivedStateFromError(error: unknown): {error: Error} {
    return {error: error instanceof Error ? error : new Error(String(error))};
  }

  override componentDidCatch(error: Error): void {
    if (isMissingPart(error)) void reloadWhenServed(() => this.state.error === error && !this.#isGone);
  }

  override componentWillUnmount(): void {
    this.#isGone = true;
  }

  override render(): ReactNode {
    const {error} = this.state;
    if (error === null) return this.props.children;
    const missing = isMissingPart(error);
    return (
      <div className="no-session">
        <EmptyState
          title={missing ? 'krtscope was updated' : `${this.props.name} failed`}
          icon="warning"
          tone="error"
          actions={
            <>
              <Button look="primary" onClick={() => window.location.reload()}>
                Reload the page
              </Button>
              <Button onClick={() => this.setState({error: null})}>Try again</Button>
            </>
          }
        >
          {missing
            ? `Reload the page to load ${this.props.name}: the page is older than the server, or the server was away.`
            : error.message}
        </EmptyState>
      </div>
    );
  }
}
