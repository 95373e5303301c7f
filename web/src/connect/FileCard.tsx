// Opens a recording, or saved documents and logs of a program, by drop or picker. The files stay on this machine.
import {type DragEvent, useState} from 'react';
import {Button} from '../ui/controls/Button.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {Progress} from '../ui/indicators/Progress.tsx';
import {Card} from './Card.tsx';
import {useOpeningProgress} from './use-opening-progress.ts';
import './file-card.css';

export function FileCard(props: {
  highlighted: boolean;
  /** The file that is being opened. */
  opening: string | null;
  problem: string | null;
  onFiles: (files: readonly File[]) => void;
}) {
  const [over, setOver] = useState(false);
  const share = useOpeningProgress(props.opening);
  const take = (files: FileList | null | undefined) => {
    const chosen = [...(files ?? [])];
    if (chosen.length > 0) props.onFiles(chosen);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <Card
      title="Open a file"
      icon="file"
      keys="O"
      highlighted={props.highlighted}
      problem={props.problem}
      lead="A recording, or what you saved of istiod. It stays on this machine."
      foot={
        <Button
          look={props.highlighted ? 'primary' : 'outline'}
          size="large"
          keys="O"
          disabled={props.opening !== null}
          onClick={() => document.getElementById('recording')?.click()}
        >
          {props.opening === null ? 'Browse' : 'Opening…'}
        </Button>
      }
    >
      <label
        className={`drop row gap-4 ${over ? 'drop-over' : ''}`}
        onDragOver={event => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Icon name="download" size={22} />
        <b>Drop a file here</b>
        <span>or browse</span>
        <input
          id="recording"
          type="file"
          accept=".krtrec,.json,.gz,.log,.tgz,.zip"
          multiple
          className="visually-hidden"
          aria-label="Recording"
          tabIndex={-1}
          onChange={event => {
            take(event.target.files);
            event.target.value = '';
          }}
        />
      </label>
      {props.opening === null ? null : (
        <div className="file-opening">
          <Progress of={1} done={share} label={`Reading ${props.opening}`} />
          <p>
            Reading <code>{props.opening}</code>, {Math.round(share * 100)} %
          </p>
        </div>
      )}
      <p className="file-kind row gap-10">
        <code className="kind-mark inline-row">.krtrec</code> krtscope recording, full history
      </p>
      <p className="file-kind row gap-10">
        <code className="kind-mark inline-row">krtz</code> documents, their log, or an istio bug report
      </p>
    </Card>
  );
}
