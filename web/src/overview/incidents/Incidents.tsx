// Open incidents with sentence, age and reach; ended ones fold below. Arrows move, Enter asks why.
import type {Incident} from '@krtscope/shared/incidents.ts';
import {type ReactNode, useEffect, useRef, useState} from 'react';
import {useKeys} from '../../app/keys/keys.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {useGraph, useKind, useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {focusPart} from '../../ui/hooks/use-roving-focus.ts';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph, ToneWord} from '../../ui/indicators/outcome-state.tsx';
import {EmptyState, Panel} from '../../ui/layout/Panel.tsx';
import {ageText, clockText} from '../../ui/text/Age.tsx';
import {plural} from '../../ui/text/plural.ts';
import {Sentence} from '../../why/answer/Sentence.tsx';
import {copyIncident, openIncidentOrigin, showInSheet} from './incident-actions.ts';
import {countOpen, isRecovered, severityTone, stateTone, stateWord} from './incident-state.ts';
import type {IncidentList} from './use-incidents.ts';
import './incidents.css';

export function Incidents({list}: {list: IncidentList}) {
  const {shown, ended, chosen, choose} = list;
  const [past, setPast] = useState(false);
  const rows = useRef<HTMLDivElement>(null);
  const pastButton = useRef<HTMLButtonElement>(null);
  // The ended ones open below the visible part of a long list.
  useEffect(() => {
    if (past) pastButton.current?.scrollIntoView({block: 'start'});
  }, [past]);
  const drawn = past ? [...shown, ...ended] : shown;
  const at = drawn.findIndex(one => one.id === chosen?.id);
  const move = (to: number) => {
    const next = drawn[Math.max(0, Math.min(drawn.length - 1, to))];
    if (next === undefined) return;
    choose(next);
    focusPart([...(rows.current?.querySelectorAll<HTMLElement>('.incident') ?? [])], drawn.indexOf(next));
  };
  const chooseAndShow = (incident: Incident) => {
    choose(incident);
    // In one column the story is below the list.
    requestAnimationFrame(() =>
      document.querySelector('.incident-detail')?.scrollIntoView({block: 'nearest'}),
    );
  };
  useKeys(
    {
      ArrowDown: {run: () => move(at + 1)},
      ArrowUp: {run: () => move(at - 1)},
      Enter: {run: () => (chosen ? openIncidentOrigin(chosen) : false)},
      o: {
        says: 'why this value?',
        group: 'Understand',
        run: () => (chosen ? openIncidentOrigin(chosen) : false),
      },
      s: {says: 'show in the sheet', group: 'Move', run: () => (chosen ? showInSheet(chosen) : false)},
      m: {says: 'copy as issue', group: 'Copy', run: () => (chosen ? copyIncident(chosen) : false)},
      'Shift+M': {run: () => (chosen ? copyIncident(chosen) : false)},
    },
    shown.length + ended.length > 0,
  );
  const open = countOpen(shown);
  return (
    <Panel
      title="Incidents"
      note={list.loaded ? (open === 0 ? 'none open' : `${open} open`) : ''}
      className="incidents"
      aside={
        drawn.length === 0 ? null : (
          <span className="key-hint">
            <Kbd keys="ArrowUp" /> <Kbd keys="ArrowDown" /> move <Kbd keys="Enter" /> why
          </span>
        )
      }
    >
      <div className="incident-rows" ref={rows}>
        {list.loaded && shown.length === 0 ? <NoOpenIncidents /> : null}
        <ul>
          {shown.map(one => (
            <IncidentRow
              key={one.id}
              incident={one}
              chosen={one.id === chosen?.id}
              onChoose={() => chooseAndShow(one)}
            />
          ))}
        </ul>
        {ended.length > 0 ? (
          <>
            <button
              type="button"
              ref={pastButton}
              className="incident-past row gap-8"
              aria-expanded={past}
              onClick={() => setPast(!past)}
            >
              <Icon name={past ? 'down' : 'right'} size={12} />
              <b>Ended</b> {ended.length}
            </button>
            {past ? (
              <ul>
                {ended.map(one => (
                  <IncidentRow
                    key={one.id}
                    incident={one}
                    chosen={one.id === chosen?.id}
                    onChoose={() => chooseAndShow(one)}
                  />
                ))}
              </ul>
            ) : null}
          </>
        ) : null}
      </div>
      {shown.length > 1 ? (
        <p className="incident-foot">Incidents keep their order while you read. New ones come last.</p>
      ) : null}
    </Panel>
  );
}

/** "No problems" holds only for sources that krtscope has read and for checks that it can do. */
function NoOpenIncidents() {
  const graph = useGraph();
  const checks = useLastAnswer(useSubscription({ask: 'checks'}))?.promises.length ?? 0;
  const isAttached = useConnection(link => link.session?.cluster.kind === 'attached');
  if (graph?.collections.length === 0)
    return <EmptyState title="No data yet">Incidents show once a source is readable.</EmptyState>;
  if (isAttached)
    return (
      <EmptyState title={`No incidents. ${plural(checks, 'check is', 'checks are')} unknown`}>
        A krtz document lists rows. It does not say how they were computed, so krtscope cannot check formulas.
      </EmptyState>
    );
  return <EmptyState title="No problems found">No check fails and no controller reports errors.</EmptyState>;
}

function IncidentRow({
  incident,
  chosen,
  onChoose,
}: {
  incident: Incident;
  chosen: boolean;
  onChoose: () => void;
}) {
  const collections = [...new Set(incident.symptoms.map(one => one.collection))];
  return (
    <li>
      <button
        type="button"
        className="list-button incident"
        aria-current={chosen ? 'true' : undefined}
        tabIndex={chosen ? 0 : -1}
        onClick={onChoose}
        onDoubleClick={() => openIncidentOrigin(incident)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          openIncidentOrigin(incident);
        }}
      >
        <SeveritySign incident={incident} />
        <span className="incident-words">
          <b>{incident.title}</b>
          <span title={incident.sentence}>
            <Sentence parts={incident.parts} plain />
          </span>
        </span>
        <span className="incident-facts row">
          <ToneWord tone={stateTone(incident)}>{stateWord(incident)}</ToneWord>
          <IncidentTime incident={incident} />
          <span className="incident-reach inline-row gap-6">
            {collections.slice(0, 5).map(name => (
              <CollectionShape key={name} name={name} />
            ))}
            {incident.symptoms.length} {incident.symptoms.length === 1 ? 'symptom' : 'symptoms'}
          </span>
        </span>
      </button>
    </li>
  );
}

function SeveritySign({incident}: {incident: Incident}): ReactNode {
  const tone = severityTone(incident);
  return (
    <span className={`incident-sign inline-row tone-${tone}`} aria-hidden="true">
      {incident.ended !== undefined || isRecovered(incident) ? (
        <StateGlyph tone="noop" size={10} />
      ) : incident.severity === 'error' ? (
        <StateGlyph tone="error" size={11} />
      ) : (
        <Icon name="warning" />
      )}
    </span>
  );
}

function IncidentTime({incident}: {incident: Incident}) {
  if (incident.endedAt === undefined)
    return (
      <time dateTime={new Date(incident.beganAt).toISOString()}>since {clockText(incident.beganAt)}</time>
    );
  return <time>lasted {ageText(incident.endedAt - incident.beganAt)}</time>;
}

function CollectionShape({name}: {name: string}) {
  return (
    <span title={name}>
      <KindShape kind={useKind(name)} size={13} />
    </span>
  );
}
