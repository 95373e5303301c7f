// The rules that formulas must keep (pure, deterministic, unique keys…) and how many collections keep them.
import type {PurityPromise} from '@krtscope/shared/checks.ts';
import {listNames, staleSources} from '../freshness/freshness.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useGraph, useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {Icon} from '../ui/indicators/Icon.tsx';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {Panel} from '../ui/layout/Panel.tsx';
import './checks-panel.css';

export function ChecksPanel() {
  const answer = useLastAnswer(useSubscription({ask: 'checks'}));
  const derived = answer?.derived ?? 0;
  // While sources are behind, a tick would be a guess.
  const answers = useConnection(link =>
    ['connected', 'offline'].includes(link.session?.connection.state ?? 'connected'),
  );
  const isAttached = useConnection(link => link.session?.cluster.kind === 'attached');
  const graph = useGraph();
  const stale = graph === null ? [] : staleSources(graph);
  const isKnown = answers && !isAttached && stale.length === 0;
  const reason = isAttached
    ? 'A krtz document lists rows. It does not say how they were computed.'
    : `No recent data from ${listNames(stale) || 'the cluster'}, so the result is unknown.`;
  return (
    <Panel title="Checks" className="promises" aside={`${derived} derived`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a low window scrolls the list, and the keyboard must reach it */}
      <ul className="promise-list plain-list" tabIndex={0}>
        {(answer?.promises ?? []).map(one => (
          <li key={one.name} className="promise row">
            <span>{one.name}</span>
            {isKnown ? <CheckVerdict promise={one} derived={derived} /> : <UnknownVerdict reason={reason} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function UnknownVerdict({reason}: {reason: string}) {
  return (
    <span className="promise-kept inline-row gap-6" title={reason}>
      unknown
    </span>
  );
}

function CheckVerdict({promise, derived}: {promise: PurityPromise; derived: number}) {
  // A tick would claim that something was checked.
  if (derived === 0) {
    return (
      <span className="promise-kept inline-row gap-6" title="There are no derived collections to check">
        –
      </span>
    );
  }
  if (promise.failing === 0) {
    return (
      <span className="promise-kept inline-row gap-6">
        <Icon name="check" size={13} /> {derived}
        <span className="visually-hidden"> keep it</span>
      </span>
    );
  }
  if (promise.severity === 'error') {
    return (
      <span className="word word-error">
        <StateGlyph tone="error" /> {promise.failing} {promise.failing === 1 ? 'fails' : 'fail'}
      </span>
    );
  }
  return (
    <span className="word word-changed">
      <Icon name="warning" size={12} /> {promise.failing}
    </span>
  );
}
