// Copies a text and confirms it; shows the text itself if it is a command.
import {copyText} from '../../store/app.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {Icon} from '../indicators/Icon.tsx';
import {withClusterFlag} from '../text/kubectl-command.ts';
import './copy-button.css';

export function CopyButton({text, label, said}: {text: string; label?: string; said?: string}) {
  return (
    <button
      type="button"
      className="icon-button inline-row bare-button"
      aria-label={label ?? `Copy ${text}`}
      title={label ?? 'Copy'}
      onClick={() => void copyText(text, said)}
    >
      <Icon name="copy" />
    </button>
  );
}

/** A command for the terminal: krtscope offers it and never runs it. The copied text names the cluster too. */
export function CopyCommand({command, plain = false}: {command: string; plain?: boolean}) {
  const whole = useConnection(({session}) => withClusterFlag(command, session?.cluster));
  const said = whole === command ? 'Command copied' : `Command copied, with${whole.slice(command.length)}`;
  return (
    <button
      type="button"
      className={`copy-command ${plain ? 'copy-command-plain' : ''}`}
      title={whole}
      aria-label={`Copy command: ${command}`}
      onClick={() => void copyText(whole, said)}
    >
      <Icon name="copy" size={14} />
      <code>{command}</code>
    </button>
  );
}
