// The last changes that came from outside: what, who, and how many runs followed.
import type {RootWrite} from '@krtscope/shared/timeline.ts';
import {navigate} from '../store/app.ts';
import {useNamespace} from '../store/hooks.ts';
import {useKind, useLastAnswer, useSubscription} from '../stream/hooks.ts';
import {Age} from '../ui/Age.tsx';
import {KindShape} from '../ui/kind.tsx';
import {middle} from '../ui/middle.ts';
import {Empty, Panel} from '../ui/Panel.tsx';
import {useRoving} from '../ui/roving.ts';

export function RootWrites() {
  const stats = useLastAnswer(useSubscription({ask: 'stats'}));
  const [namespace] = useNamespace();
  const rove = useRoving<HTMLUListElement>('.write');
  const writes = (stats?.writes ?? []).filter(one => namespace === null || inNamespace(one, namespace));
  return (
    <Panel title="Last root writes" className="writes" aside="runs caused">
      <ul className="write-list" onKeyDown={rove.onKeyDown} ref={rove.list}>
        {writes.slice(0, 14).map((write, at) => (
          <WriteRow
            key={`${write.sequence} ${write.collection} ${write.key}`}
            write={write}
            first={at === 0}
          />
        ))}
      </ul>
      {stats !== undefined && writes.length === 0 ? (
        <Empty title="Nothing was written yet">
          {namespace === null ? 'The cluster is quiet.' : `No write in ${namespace} is kept.`}
        </Empty>
      ) : null}
    </Panel>
  );
}

export function inNamespace(write: {collection: string; key: string}, namespace: string): boolean {
  return (
    write.key.startsWith(`${namespace}/`) || (write.collection === 'Namespaces' && write.key === namespace)
  );
}

function WriteRow({write, first}: {write: RootWrite; first: boolean}) {
  const kind = useKind(write.collection);
  const share = write.runs === 0 ? 0 : (write.changed / write.runs) * 100;
  const open = () =>
    navigate({view: 'why', collection: write.collection, key: write.key, moment: write.sequence});
  return (
    <li>
      <button
        type="button"
        className="write"
        tabIndex={first ? 0 : -1}
        onClick={open}
        title={`Why, at @${write.sequence}`}
      >
        <span className="write-age">
          <Age at={write.at} />
        </span>
        <KindShape kind={kind} />
        <span className="tx-2">{write.collection}</span>
        <span className="write-key mono" title={write.key}>
          {middle(write.key, 31)}
        </span>
        {write.event === 'update' ? null : (
          <span className="write-event">{write.event === 'add' ? 'added' : 'deleted'}</span>
        )}
        <span className="write-space" />
        <span className="write-by">{write.writer?.manager ?? ''}</span>
        <b className="write-runs">{write.runs}</b>
        <span className={`write-bar ${write.runs === 0 ? 'write-none' : ''}`} aria-hidden="true">
          <span style={{width: `${share}%`}} />
        </span>
      </button>
    </li>
  );
}
