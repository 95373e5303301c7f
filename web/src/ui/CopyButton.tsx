// Copies a text and says so; shows the text itself when it is a command.
import {copyText} from '../store/app.ts';
import {Icon} from './Icon.tsx';
import './copy-button.css';

export function CopyButton({text, label, said}: {text: string; label?: string; said?: string}) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label ?? `Copy ${text}`}
      title={label ?? 'Copy'}
      onClick={() => void copyText(text, said)}
    >
      <Icon name="copy" />
    </button>
  );
}

/** A command to take to a terminal: krtscope offers it and never runs it. */
export function CopyCommand({command, plain = false}: {command: string; plain?: boolean}) {
  return (
    <button
      type="button"
      className={`copy-command ${plain ? 'copy-command-plain' : ''}`}
      title={command}
      aria-label={`Copy command: ${command}`}
      onClick={() => void copyText(command, 'Command copied')}
    >
      <Icon name="copy" size={14} />
      <code>{command}</code>
    </button>
  );
}
