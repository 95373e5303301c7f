// The settings dialog.
import {copyText, openOverlay} from '../../store/app.ts';
import {changeSettings, type Settings as Stored, type Theme, useSettings} from '../../store/settings.ts';
import {signInKind, signOut} from '../../stream/access-token.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {Button, IconButton} from '../../ui/controls/Button.tsx';
import {Segmented} from '../../ui/controls/Tabs.tsx';
import {ModalSheet} from '../shell/ModalSheet.tsx';
import {downloadRecording} from './download-recording.ts';

const themes: {id: Theme; label: string}[] = [
  {id: 'system', label: 'System'},
  {id: 'dark', label: 'Dark'},
  {id: 'light', label: 'Light'},
  {id: 'hc', label: 'High contrast'},
];

export function Settings() {
  const theme = useSettings(settings => settings.theme);
  return (
    <ModalSheet label="Settings" className="settings">
      <header className="modal-head bar gap-10">
        <h2>Settings</h2>
        <span className="quiet">Saved in this browser</span>
        <IconButton icon="close" label="Close settings" onClick={() => openOverlay(null)} />
      </header>
      <div className="settings-body column">
        <div className="setting">
          <span>Theme</span>
          <Segmented
            label="Theme"
            options={themes}
            active={theme}
            onPick={id => changeSettings({theme: id})}
          />
        </div>
        <Switch name="letters" label="Single-letter keys">
          Turn off if you use dictation or other assistive input. Ctrl K, Esc, arrows and Shift End always
          work.
        </Switch>
        <Switch name="pulses" label="Pulses on the graph">
          Moving dots show how a change spreads. With reduced motion the nodes are tinted instead.
        </Switch>
        <Switch name="timeline" label="Timeline">
          Turn off to collapse it to one line.
        </Switch>
        <div className="settings-actions">
          <Button icon="download" onClick={() => void downloadRecording()}>
            Export recording
          </Button>
          <Button icon="copy" onClick={() => void copyText(diagnosticsText(), 'Diagnostics copied')}>
            Copy diagnostics
          </Button>
          <Button icon="flag" onClick={() => openOverlay('tour')}>
            Start tour
          </Button>
          {signInKind === 'proxy' ? null : (
            <Button icon="lock" title="Remove the access token from this browser" onClick={leave}>
              Sign out
            </Button>
          )}
        </div>
      </div>
    </ModalSheet>
  );
}

function leave(): void {
  openOverlay(null);
  signOut();
}

function Switch({name, label, children}: {name: keyof Stored; label: string; children: string}) {
  const on = useSettings(settings => settings[name]) === true;
  return (
    <label className="setting">
      <span>{label}</span>
      <small>{children}</small>
      <input
        type="checkbox"
        className="switch"
        checked={on}
        onChange={event => changeSettings({[name]: event.target.checked})}
      />
    </label>
  );
}

/** Facts for a bug report. It contains no object names and no token. */
function diagnosticsText(): string {
  const {session, sequence, socket, resets} = useConnection.getState();
  return JSON.stringify(
    {
      krtscope: session?.version,
      cluster: session?.cluster.kind,
      kubernetes: session?.cluster.version,
      engine: session?.engine,
      connection: session?.connection.state,
      kept: session?.kept,
      limits: session?.limits,
      sequence,
      socket,
      resets,
      browser: navigator.userAgent,
      window: `${window.innerWidth}×${window.innerHeight}`,
    },
    null,
    2,
  );
}
