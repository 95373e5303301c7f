// Catches what a view throws, also a part that is no longer on the server after an upgrade: the page never goes blank.
import {Component, type ReactNode} from 'react';
import {Button} from '../../ui/controls/Button.tsx';
import {EmptyState} from '../../ui/layout/Panel.tsx';

/** A part of the page that the server no longer has: it was upgraded under an open tab. */
function isMissingPart(error: Error): boolean {
  return /dynamically imported module|module script|preload/i.test(error.message);
}

const reloadedKey = 'krtscope-reloaded';

/** Once by itself; a server that stays broken must not make the page reload for ever. */
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
    const gone = isMissingPart(error);
    return (
      <div className="no-session">
        <EmptyState
          title={gone ? 'krtscope was updated' : `${this.props.name} failed`}
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
          {gone
            ? `This page is older than its server, so ${this.props.name} could not be loaded.`
            : error.message}
        </EmptyState>
      </div>
    );
  }
}
