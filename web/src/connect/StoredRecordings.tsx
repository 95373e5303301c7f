// Recordings on disk whose cluster is not connected: open one, or delete it.
import type {StoredRecording} from '@krtscope/shared/retention/disk-history.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {useState} from 'react';
import {toast} from '../store/app.ts';
import {errorText} from '../stream/failure-text.ts';
import {apiPath, request} from '../stream/http.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {Button, IconButton} from '../ui/controls/Button.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {Panel} from '../ui/layout/Panel.tsx';
import {ageText, useServerNow} from '../ui/text/Age.tsx';
import {openSession} from './open-session.ts';

export function StoredRecordings({onOpen}: {onOpen: (opening: Promise<SessionAnswer>) => void}) {
  const {answer, again} = useAnswer<{recordings: StoredRecording[]}>('/recordings');
  const now = useServerNow();
  const [asked, setAsked] = useState<string | null>(null);
  const stored = (answer?.recordings ?? []).filter(one => one.writer === undefined);
  if (stored.length === 0) return null;
  return (
    <div className="connect-stored">
      <Panel title="On disk" note="recordings of clusters that are not connected">
        <ul className="plain-list">
          {stored
            .toSorted((a, b) => (b.newest?.time ?? 0) - (a.newest?.time ?? 0))
            .map(one => (
              <li key={one.id} className="open-row row">
                <button
                  type="button"
                  className="open-main row bare-button gap-10"
                  disabled={one.newest === undefined}
                  onClick={() => onOpen(openSession({recording: one.id}))}
                >
                  <Icon name="file" />
                  <b title={one.server}>{one.name}</b>
                  <span className="open-note ellipsis">{describe(one, now)}</span>
                </button>
                {asked === one.id ? (
                  <Button size="small" look="danger" onClick={() => void remove(one.id).then(again)}>
                    Delete for good
                  </Button>
                ) : (
                  <IconButton
                    icon="close"
                    label={`Delete the recording of ${one.name}`}
                    onClick={() => setAsked(one.id)}
                  />
                )}
              </li>
            ))}
        </ul>
      </Panel>
    </div>
  );
}

function describe({problem, oldest, newest, bytes}: StoredRecording, now: number): string {
  if (problem !== undefined) return problem;
  if (oldest === undefined || newest === undefined) return 'empty';
  const megabytes = Math.max(0.1, bytes / 1e6).toFixed(1);
  return `${ageText(newest.time - oldest.time)}, until ${ageText(now - newest.time)} ago, ${megabytes} MB`;
}

async function remove(id: string): Promise<void> {
  try {
    await request(apiPath(`/recordings/${encodeURIComponent(id)}`), {method: 'DELETE'});
  } catch (error) {
    toast(errorText(error), 'error');
  }
}
