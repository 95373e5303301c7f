// A program may report controllers and no collections: the Sheet and the Graph say so.
import {navigate} from '../../store/app.ts';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {Button} from '../controls/Button.tsx';
import {EmptyState} from './Panel.tsx';

export function NoCollections({title}: {title: string}) {
  const controllers = useLastAnswer(useSubscription({ask: 'controllers'}))?.controllers.length ?? 0;
  // A session that has just begun has no collections yet.
  if (controllers === 0) return <EmptyState title="No collections yet" icon="clock" />;
  return (
    <EmptyState
      title={title}
      actions={
        <Button look="primary" keys="6" onClick={() => navigate({view: 'controllers'})}>
          Open Controllers
        </Button>
      }
    >
      This program reports controllers and no collections.
    </EmptyState>
  );
}
