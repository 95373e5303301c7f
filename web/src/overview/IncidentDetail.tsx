// The chosen incident: its sentence, the write it goes back to, how it spread, its symptoms, the command that would mend it.
import type {Incident} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {navigate} from '../store/app.ts';
import {select} from '../store/hooks.ts';
import {useAnswer, useKind} from '../stream/hooks.ts';
import {ageText, clockText, useNow} from '../ui/Age.tsx';
import {Button} from '../ui/Button.tsx';
import {CopyCommand} from '../ui/CopyButton.tsx';
import {KindShape} from '../ui/kind.tsx';
import {middle} from '../ui/middle.ts';
import {Word} from '../ui/state.tsx';
import {ChangedPaths} from '../why/answer/ChangedPaths.tsx';
import {Sentence} from '../why/answer/Sentence.tsx';
import {IncidentStory} from './IncidentStory.tsx';
import {
  askAbout,
  copyIncident,
  endedWord,
  evidencePlace,
  originPath,
  severityTone,
  severityWord,
  showInSheet,
} from './incident.ts';
import './incident-detail.css';

export function IncidentDetail({incident}: {incident: Incident}) {
  const now = useNow();
  const path = originPath(incident);
  const {answer} = useAnswer<Origin>(path);
  const asked = incident.origin.asked;
  const origin =
    answer && asked && answer.collection === asked.collection && answer.key === asked.key
      ? answer
      : undefined;
  const {write, fix} = incident.origin;
  const lasted = (incident.endedAt ?? now) - incident.beganAt;
  return (
    <section className="incident-detail" aria-label="Incident">
      <header className="detail-head">
        <Word tone={incident.ended === undefined ? severityTone(incident) : 'plain'}>
          {incident.ended === undefined ? severityWord(incident) : 'ended'}
        </Word>
        <span>
          {incident.ended === undefined ? 'open ' : 'lasted '}
          <b>{ageText(lasted)}</b>
        </span>
        <span className="detail-since">
          since {clockText(incident.beganAt)}, #{incident.began}
        </span>
        <span className="detail-actions">
          <Button look="primary" size="small" keys="Enter" onClick={() => askAbout(incident)}>
            Why is it like this
          </Button>
          <Button size="small" icon="sheet" keys="s" onClick={() => showInSheet(incident)}>
            Show in Sheet
          </Button>
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
              <p className="detail-label">
                <span className="label detail-cause">◂ Origin write</span>
                <Word>{write.manager ?? 'writer not noted'}</Word>
                <span className="detail-since">
                  {clockText(Date.parse(write.time), true)} · #{write.sequence}
                </span>
              </p>
              {write.path === undefined ? (
                <p className="detail-words">
                  {write.collection} <code>{write.key}</code>{' '}
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
            <p className="detail-words">No write is known that made it so.</p>
          )}
          {origin ? <IncidentStory incident={incident} origin={origin} /> : null}
        </div>
        <div className="detail-side">
          <p className="detail-label">
            <span className="label">Symptoms</span>
            <span className="detail-since">{incident.symptoms.length}, by collection</span>
          </p>
          <ul className="detail-symptoms">
            {incident.symptoms.map(symptom => (
              <li key={`${symptom.code} ${symptom.collection} ${symptom.keys[0] ?? ''} ${symptom.began}`}>
                <button
                  type="button"
                  className="detail-symptom"
                  title={symptom.message}
                  onClick={() => navigate(evidencePlace(symptom))}
                >
                  <Shape name={symptom.collection} />
                  <span>
                    <b>{symptom.collection}</b> {symptom.title}
                  </span>
                  {symptom.ended === undefined ? null : <Word>{endedWord(incident)}</Word>}
                </button>
                {symptom.keys.slice(0, 3).map(key => (
                  <button
                    key={key}
                    type="button"
                    className="detail-key"
                    title={key}
                    onClick={() => select({collection: symptom.collection, key}, 'sheet')}
                  >
                    {middle(key, 38)}
                  </button>
                ))}
                {symptom.keys.length > 3 ? (
                  <span className="detail-since">and {symptom.keys.length - 3} more</span>
                ) : null}
                {symptom.hint && !fix ? <CopyCommand command={symptom.hint} plain /> : null}
              </li>
            ))}
          </ul>
          {fix ? (
            <div className="detail-fix">
              <p className="label">Fix</p>
              <CopyCommand command={fix} />
              <p className="detail-since">krtscope is read-only; run it yourself.</p>
            </div>
          ) : null}
        </div>
      </div>
    </section>
  );
}

function Shape({name}: {name: string}) {
  return <KindShape kind={useKind(name)} />;
}
