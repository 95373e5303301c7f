// The selected incident: its sentence, its root write, how it spread, its symptoms, and a command that fixes it.
import type {Incident, Symptom} from '@krtscope/shared/incidents.ts';
import {singularOf} from '@krtscope/shared/object-name.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {navigate} from '../../store/app.ts';
import {select} from '../../store/navigation.ts';
import {useAnswer, useKind} from '../../stream/use-subscription.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Hint} from '../../ui/controls/Hint.tsx';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {ToneWord} from '../../ui/indicators/outcome-state.tsx';
import {ageText, clockText, useNow} from '../../ui/text/Age.tsx';
import {shortenMiddle} from '../../ui/text/shorten-middle.ts';
import {ChangedPaths} from '../../why/answer/ChangedPaths.tsx';
import {Sentence} from '../../why/answer/Sentence.tsx';
import {IncidentFix} from './IncidentFix.tsx';
import {IncidentStory} from './IncidentStory.tsx';
import {
  copyIncident,
  evidenceRoute,
  isAboutController,
  openIncidentOrigin,
  originPath,
  showInSheet,
} from './incident-actions.ts';
import {durationWord, endedWord, isRecovered, stateTone, stateWord} from './incident-state.ts';
import './incident-detail.css';

export function IncidentDetail({incident}: {incident: Incident}) {
  const now = useNow();
  const path = originPath(incident);
  const {answer} = useAnswer<Origin>(path);
  const target = incident.origin.asked;
  const origin =
    answer && target && answer.collection === target.collection && answer.key === target.key
      ? answer
      : undefined;
  const {write, fix} = incident.origin;
  const aboutController = isAboutController(incident);
  const lasted = (incident.endedAt ?? now) - incident.beganAt;
  return (
    <section className="incident-detail" aria-label="Incident">
      <header className="detail-head bar">
        <ToneWord tone={stateTone(incident)}>{stateWord(incident)}</ToneWord>
        <span>
          {durationWord(incident)}
          <b>{ageText(lasted)}</b>
          {isRecovered(incident) ? ' ago' : ''}
        </span>
        <span className="detail-since">
          since {clockText(incident.beganAt)}, #{incident.began}
        </span>
        <span className="detail-actions">
          <Button look="primary" size="small" keys="Enter" onClick={() => openIncidentOrigin(incident)}>
            {aboutController ? 'Open in Controllers' : 'Why this value?'}
          </Button>
          {aboutController ? null : (
            <Button size="small" icon="sheet" keys="s" onClick={() => showInSheet(incident)}>
              Show in Sheet
            </Button>
          )}
          <Button size="small" icon="copy" keys="m" onClick={() => void copyIncident(incident)}>
            Copy as issue
          </Button>
        </span>
      </header>
      <p className="detail-sentence" role="status">
        <Sentence parts={incident.parts} />
      </p>
      <div className="detail-body">
        <div className="detail-main">
          {write ? (
            <>
              <p className="detail-label row">
                <span className="label detail-cause">◂ Origin write</span>
                <ToneWord>{write.manager ?? 'unknown writer'}</ToneWord>
                <span className="detail-since">
                  {clockText(Date.parse(write.time), true)} · #{write.sequence}
                </span>
              </p>
              {write.path === undefined ? (
                <p className="detail-words">
                  {singularOf(write.collection)} <code>{write.key}</code>{' '}
                  {write.event === 'add'
                    ? 'was added'
                    : write.event === 'delete'
                      ? 'was deleted'
                      : 'was updated'}
                </p>
              ) : (
                <ChangedPaths changes={[{path: write.path, old: write.old, new: write.new}]} />
              )}
            </>
          ) : (
            <p className="detail-words">
              {aboutController
                ? 'The attempts in the Controllers view show what the controller read and wrote.'
                : 'The write that caused this is unknown.'}
            </p>
          )}
          {origin ? <IncidentStory incident={incident} origin={origin} /> : null}
        </div>
        <div className="detail-side">
          <p className="detail-label row">
            <span className="label">Symptoms</span>
            <span className="detail-since">
              {incident.symptoms.length}
              {aboutController ? '' : ', by collection'}
            </span>
          </p>
          <ul className="detail-symptoms plain-list">
            {incident.symptoms.map(symptom => (
              <li key={`${symptom.code} ${symptom.collection} ${symptom.keys[0] ?? ''} ${symptom.began}`}>
                <button
                  type="button"
                  className="detail-symptom row bare-button gap-8"
                  title={symptom.message}
                  onClick={() => navigate(evidenceRoute(symptom))}
                >
                  {symptom.reconcile === undefined ? (
                    <CollectionShape name={symptom.collection} />
                  ) : (
                    <Icon name="refresh" size={13} />
                  )}
                  <span>
                    {symptom.reconcile === undefined ? <b>{symptom.collection}</b> : null} {symptom.title}
                  </span>
                  {symptom.ended === undefined ? null : <ToneWord>{endedWord(incident)}</ToneWord>}
                </button>
                {symptom.keys.slice(0, 3).map(key => (
                  <button
                    key={key}
                    type="button"
                    className="detail-key row bare-button gap-8"
                    title={key}
                    onClick={() => openSymptomKey(symptom, key)}
                  >
                    {shortenMiddle(key, 38)}
                  </button>
                ))}
                {symptom.keys.length > 3 ? (
                  <span className="detail-since">and {symptom.keys.length - 3} more</span>
                ) : null}
                {symptom.hint && !fix ? <Hint text={symptom.hint} /> : null}
              </li>
            ))}
          </ul>
          <IncidentFix incident={incident} path={path} />
        </div>
      </div>
    </section>
  );
}

function openSymptomKey({collection, reconcile}: Symptom, key: string): void {
  if (reconcile === undefined) select({collection, key}, 'sheet');
  else navigate({view: 'controllers', params: {c: reconcile.controller, k: key}});
}

function CollectionShape({name}: {name: string}) {
  return <KindShape kind={useKind(name)} />;
}
