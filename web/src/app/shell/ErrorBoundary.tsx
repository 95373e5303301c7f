// Shows an error in place of a view that throws, also when an upgrade removed its file.
import {Component, type ReactNode} from 'react';
import {Button} from '../../ui/controls/Button.tsx';
import {EmptyState} from '../../ui/layout/Panel.tsx';

/** The server was upgraded while the page was open, and no longer has this file. */
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

export class ErrorBoundary extends Component<{name: string; children: ReactNode}, {error: Error | null}> {
  override state: {error: Error | null} = {error: null};

  static getDerivedStateFromError(error: unknown): {error: Error} {
    return {error: error instanceof Error ? error : new Error(String(error))};
  }

  override componentDidCatch(error: Error): void {
    if (isMissingPart(error) && mayReload(Date.now())) window.location.reload();
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
            ? `Reload the page to load ${this.props.name}: the page is older than the server.`
            : error.message}
        </EmptyState>
      </div>
    );
  }
}
