// Objects of the root that exist in the cluster and have no row, because krtscope cannot use them.
import {useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import './set-aside-bar.css';

export function SetAsideBar({root}: {root: string}) {
  const checks = useLastAnswer(useSubscription({ask: 'checks'}))?.checks ?? [];
  const found = checks.find(({code, collection}) => code === 'set-aside' && collection === root);
  if (found === undefined) return null;
  const more = found.count - 1;
  return (
    <section className="set-aside-bar" aria-label="Objects that are not shown">
      <b>
        {found.count === 1
          ? '1 object is not shown'
          : `${found.count.toLocaleString('en')} objects are not shown`}
      </b>{' '}
      <span title={found.hint}>
        {found.message}
        {more > 0 ? `, and ${more.toLocaleString('en')} more` : ''}
      </span>
    </section>
  );
}
