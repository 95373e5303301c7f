// Writes from outside: those by people and their tools first; controllers' own writes fold into one line.
import type {RootWrite} from '@krtscope/shared/timeline.ts';
import {namespacesSource} from '@krtscope/shared/vocabulary.ts';
import {useState} from 'react';
import {navigate} from '../store/app.ts';
import {useNamespace} from '../store/navigation.ts';
import {useKind, useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {useRovingFocus} from '../ui/hooks/use-roving-focus.ts';
import {KindShape} from '../ui/indicators/collection-kind.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {Panel} from '../ui/layout/Panel.tsx';
import {Age} from '../ui/text/Age.tsx';
import {shortenMiddle} from '../ui/text/shorten-middle.ts';
import './root-writes.css';

export function RootWrites() {
  const stats = useLastAnswer(useSubscription({ask: 'stats'}));
  const [namespace] = useNamespace();
  const [open, setOpen] = useState(false);
  const rove = useRovingFocus<HTMLUListElement>('.write');
  const here = (all: readonly RootWrite[]) =>
    all.filter(one => namespace === null || isInNamespace(one, namespace));
  const all = here(stats?.writes ?? []);
  const people = all.filter(one => one.signal === 'person');
  const shown = open ? [...all].sort((a, b) => b.sequence - a.sequence) : people;
  const unsigned = people.some(one => one.writer === undefined);
  const counts = stats?.writeCounts;
  const followed = counts ? counts.controller + counts.churn : 0;
  return (
    <Panel
      title="Root writes"
      note={unsigned ? 'by people, their tools, or unknown writers' : 'by people and their tools'}
      className="writes"
      aside="runs caused"
    >
      <ul className="write-list plain-list" onKeyDown={rove.onKeyDown} ref={rove.list}>
        {shown.map((write, at) => (
          <WriteRow key={writeId(write)} write={write} first={at === 0} />
        ))}
      </ul>
      {stats !== undefined && people.length === 0 ? (
        <p className="write-none-yet">
          {namespace === null ? 'No writes yet.' : `No writes in ${namespace} yet.`}
        </p>
      ) : null}
      {followed > 0 ? (
        <button type="button" className="write-fold row" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'down' : 'right'} size={12} />
          background changes, {open ? 'newest shown' : 'folded'} <b>{followed.toLocaleString('en')}</b>
          <small>
            {counts?.controller.toLocaleString('en')} by controllers · {counts?.churn.toLocaleString('en')}{' '}
            status and heartbeats
          </small>
        </button>
      ) : null}
    </Panel>
  );
}

function writeId(write: RootWrite): string {
  return `${write.sequence} ${write.collection} ${write.key}`;
}

function isInNamespace(write: {collection: string; key: string}, namespace: string): boolean {
  return (
    write.key.startsWith(`${namespace}/`) ||
    (write.collection === namespacesSource && write.key === namespace)
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
        className="list-button write"
        tabIndex={first ? 0 : -1}
        onClick={open}
        title={`${write.path === undefined ? '' : `${write.path}: `}why, at #${write.sequence}`}
      >
        <span className="write-age">
          <Age at={write.at} />
        </span>
        <KindShape kind={kind} />
        <span className="write-collection ellipsis" title={write.collection}>
          {write.collection}
        </span>
        <span className="write-key ellipsis mono" title={write.key}>
          {shortenMiddle(write.key, 31)}
        </span>
        <span
          className={`write-event ellipsis ${write.event === 'update' ? 'write-path' : ''}`}
          title={write.path}
        >
          {write.event === 'update' ? (write.path ?? '') : write.event === 'add' ? 'added' : 'deleted'}
        </span>
        {write.writer ? (
          <span className="write-by ellipsis" title={write.writer.manager}>
            {write.writer.manager}
          </span>
        ) : (
          <span
            className="write-by ellipsis write-unsigned"
            title="Kubernetes records no manager for this write, for example when it only removes fields"
          >
            unknown writer
          </span>
        )}
        <b className="write-runs">{write.runs}</b>
        <span className={`write-bar ${write.runs === 0 ? 'write-none' : ''}`} aria-hidden="true">
          <span style={{width: `${share}%`}} />
        </span>
      </button>
    </li>
  );
}
