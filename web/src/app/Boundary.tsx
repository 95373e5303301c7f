// Catches what a view throws, also a part that is no longer on the server after an upgrade: the page never goes blank.
import {Component, type ReactNode} from 'react';
import {Button} from '../ui/Button.tsx';
import {Empty} from '../ui/Panel.tsx';

export class Boundary extends Component<{name: string; children: ReactNode}, {error: Error | null}> {
  override state: {error: Error | null} = {error: null};

  static getDerivedStateFromError(error: unknown): {error: Error} {
    return {error: error instanceof Error ? error : new Error(String(error))};
  }

  override render(): ReactNode {
    const {error} = this.state;
    if (error === null) return this.props.children;
    const gone = /import|fetch|module/i.test(error.message);
    return (
      <div className="no-session">
        <Empty
          title={gone ? `${this.props.name} could not be loaded` : `${this.props.name} failed`}
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
          {gone ? 'The server has another version by now, or does not answer.' : error.message}
        </Empty>
      </div>
    );
  }
}
