// Open a file: our own recordings, by drop or picker. They stay on this machine.
import {type DragEvent, useState} from 'react';
import {Button} from '../ui/Button.tsx';
import {Icon} from '../ui/Icon.tsx';
import {Card} from './Card.tsx';
import './file-card.css';

export function FileCard(props: {
  highlighted: boolean;
  busy: boolean;
  problem: string | null;
  onFile: (file: File) => void;
}) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file !== undefined) props.onFile(file);
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
      lead="A recording somebody handed you. It stays on this machine."
      foot={
        <Button
          look={props.highlighted ? 'primary' : 'outline'}
          size="large"
          keys="O"
          disabled={props.busy}
          onClick={() => document.getElementById('recording')?.click()}
        >
          {props.busy ? 'Opening…' : 'Browse'}
        </Button>
      }
    >
      <label
        className={`drop ${over ? 'drop-over' : ''}`}
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
          accept=".krtrec"
          className="visually-hidden"
          aria-label="Recording"
          tabIndex={-1}
          onChange={event => {
            take(event.target.files);
            event.target.value = '';
          }}
        />
      </label>
      <p className="file-kind">
        <code className="kind-mark">.krtrec</code> krtscope recording, full history
      </p>
    </Card>
  );
}
