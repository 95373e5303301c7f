// Ranked problems, worst first; the chosen one opens to its actions. Arrows move, Enter shows the evidence.
import type {Check} from '@krtscope/shared/checks.ts';
import {useRef, useState} from 'react';
import {useKeys} from '../app/keys.ts';
import {copyText, navigate} from '../store/app.ts';
import {useNamespace} from '../store/hooks.ts';
import {useLastAnswer, useSubscription} from '../stream/hooks.ts';
import {Age} from '../ui/Age.tsx';
import {Button} from '../ui/Button.tsx';
import {Icon, type IconName} from '../ui/Icon.tsx';
import {Kbd} from '../ui/Kbd.tsx';
import {middle} from '../ui/middle.ts';
import {Empty, Panel} from '../ui/Panel.tsx';
import {rove} from '../ui/roving.ts';
import {StateGlyph} from '../ui/state.tsx';
import {concerns, evidencePlace, foldAlike, issueText, problemId} from './problem.ts';

export function Problems() {
  const answer = useLastAnswer(useSubscription({ask: 'checks'}));
  const [namespace] = useNamespace();
  const found = (answer?.checks ?? []).filter(check => concerns(check, namespace));
  const folded = foldAlike(found);
  const checks = folded.map(one => one.check);
  const [chosen, setChosen] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const at = Math.max(
    0,
    checks.findIndex(one => problemId(one) === chosen),
  );
  const current = checks[at];
  const move = (to: number) => {
    const next = checks[Math.max(0, Math.min(checks.length - 1, to))];
    if (next === undefined) return;
    setChosen(problemId(next));
    rove([...(list.current?.querySelectorAll<HTMLElement>('.problem-main') ?? [])], checks.indexOf(next));
  };
  useKeys(
    {
      ArrowDown: {run: () => move(chosen === null ? 0 : at + 1)},
      ArrowUp: {run: () => move(at - 1)},
      Enter: {run: () => (current === undefined ? false : navigate(evidencePlace(current)))},
      w: {says: 'why, of the problem', group: 'Understand', run: () => (current ? showWhy(current) : false)},
      'Shift+W': {run: () => (current ? showWhyNot(current) : false)},
    },
    checks.length > 0,
  );
  return (
    <Panel
      title="Problems"
      note={answer === undefined ? '' : found.length === 0 ? 'none' : `${found.length}, worst first`}
      className="problems"
      aside={
        checks.length === 0 ? null : (
          <>
            <Kbd keys="ArrowUp" /> <Kbd keys="ArrowDown" /> move <Kbd keys="w" /> why
          </>
        )
      }
    >
      {answer !== undefined && checks.length === 0 ? (
        <Empty title="Nothing wrong">
          No collection fails, waits, collides, flips or scans without an index.
        </Empty>
      ) : (
        <ul className="problem-list" ref={list}>
          {folded.map(({check, alike}, position) => (
            <Problem
              key={problemId(check)}
              check={check}
              alike={alike}
              chosen={position === at}
              stop={position === at}
              onChoose={() => setChosen(problemId(check))}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function showWhy(check: Check): void {
  const item = check.evidence?.item ?? {collection: check.collection, key: check.keys[0] ?? null};
  navigate({view: 'why', collection: item.collection, key: item.key});
}

function showWhyNot(check: Check): void {
  navigate({...evidencePlace(check), view: 'why-not'});
}

const icons: Record<string, IconName> = {
  'flip-flop': 'swap',
  forbidden: 'lock',
  'not-permitted': 'lock',
  'not-synced': 'clock',
  gap: 'clock',
  'watch-lost': 'clock',
};

function Sign({check}: {check: Check}) {
  const icon = icons[check.code];
  if (icon !== undefined) return <Icon name={icon} />;
  if (check.severity === 'error') return <StateGlyph tone="error" size={11} />;
  if (check.severity === 'warning') return <Icon name="warning" />;
  return <StateGlyph tone="noop" size={10} />;
}

function Problem(props: {
  check: Check;
  alike: Check[];
  chosen: boolean;
  stop: boolean;
  onChoose: () => void;
}) {
  const {check, alike, chosen} = props;
  const whyNot = check.evidence?.expected !== undefined;
  return (
    <li className={`problem ${chosen ? 'problem-chosen' : ''}`}>
      <button
        type="button"
        className="problem-main"
        aria-expanded={chosen}
        tabIndex={props.stop ? 0 : -1}
        onClick={props.onChoose}
      >
        <span className={`problem-sign tone-${toneOf(check)}`}>
          <Sign check={check} />
        </span>
        <span className="problem-words">
          <span className="problem-title">{check.title}</span>
          <span className="problem-when">
            {alike.length > 0 ? `${alike.length + 1} items` : null}
            {alike.length > 0 ? null : check.count > 1 ? (
              `${check.count.toLocaleString('en')}×`
            ) : (
              <Age at={check.at} ago />
            )}
          </span>
          <span className="problem-evidence">
            <Coded text={check.message} />
          </span>
        </span>
      </button>
      {chosen && alike.length > 0 ? <Alike checks={alike} /> : null}
      {chosen ? (
        <div className="problem-actions">
          <Button look="primary" size="small" keys="Enter" onClick={() => navigate(evidencePlace(check))}>
            Show evidence
          </Button>
          {whyNot ? (
            <Button size="small" keys="Shift+W" onClick={() => showWhyNot(check)}>
              Why not
            </Button>
          ) : (
            <Button size="small" keys="w" onClick={() => showWhy(check)}>
              Why
            </Button>
          )}
          <Button
            look="ghost"
            size="small"
            icon="copy"
            onClick={() => void copyText(issueText(check), 'Copied as an issue')}
          >
            Copy as issue
          </Button>
        </div>
      ) : null}
    </li>
  );
}

const LISTED = 6;

/** The other items with the same finding, each with its own evidence. */
function Alike({checks}: {checks: Check[]}) {
  const left = checks.length - LISTED;
  return (
    <div className="problem-alike">
      <span>also</span>
      {checks.slice(0, LISTED).map(check => (
        <button
          key={problemId(check)}
          type="button"
          className="problem-other"
          title={check.message}
          onClick={() => navigate(evidencePlace(check))}
        >
          {middle(check.keys[0] ?? check.collection, 26)}
        </button>
      ))}
      {left > 0 ? <span>and {left} more</span> : null}
    </div>
  );
}

function toneOf(check: Check): string {
  if (check.code === 'not-synced' || check.code === 'gap' || check.code === 'watch-lost') return 'stale';
  return check.severity === 'error' ? 'error' : check.severity === 'warning' ? 'changed' : 'noop';
}

/** Object names in messages are the part one searches for: anything with a slash or in backticks is set in mono. */
function Coded({text}: {text: string}) {
  const parts = text.split(/(`[^`]+`|\b[\w.-]+\/[\w.:/-]+)/);
  return parts.map((part, at) => {
    const code = at % 2 === 1;
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence have no other identity
    return code ? <code key={at}>{part.replaceAll('`', '')}</code> : part;
  });
}
