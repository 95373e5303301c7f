// Shown when the address names a session that is not open. Offers to open it.
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {useState} from 'react';
import {openSession} from '../../connect/open-session.ts';
import {navigate, useApp} from '../../store/app.ts';
import {stream} from '../../stream/client.ts';
import {errorText} from '../../stream/failure-text.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {EmptyState} from '../../ui/layout/Panel.tsx';

export function NoSession() {
  const name = useApp(state => state.route.session) ?? '';
  const [problem, setProblem] = useState('');
  const file = name.startsWith('file:');
  const open = () => {
    openSession(name === 'demo' ? {demo: true} : {context: name}).then(
      (session: SessionAnswer) => {
        useConnection.setState({failure: null});
        if (session.name === name) stream.retryNow();
        else navigate({session: session.name});
      },
      (error: unknown) => setProblem(errorText(error)),
    );
  };
  return (
    <div className="no-session">
      <EmptyState
        title={`“${name}” is not open`}
        icon="cube"
        actions={
          <>
            {file ? null : (
              <Button look="primary" onClick={open}>
                Open {name}
              </Button>
            )}
            <Button onClick={() => navigate({page: 'connect'})}>Connect</Button>
            <Button onClick={() => window.location.assign('/')}>Go to the default session</Button>
          </>
        }
      >
        {problem ||
          (file
            ? 'Open the file again: this server does not have the recording.'
            : 'This server has other sessions open. Open this one beside them, or go to another.')}
      </EmptyState>
    </div>
  );
}
