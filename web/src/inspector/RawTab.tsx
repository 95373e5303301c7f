// Terminal commands, the last writer, and the value as YAML.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {useMemo} from 'react';
import {useConnection} from '../stream/server-connection.ts';
import {useCollection} from '../stream/use-subscription.ts';
import {yamlText} from '../ui/code/yaml-lines.ts';
import {CopyButton, CopyCommand} from '../ui/controls/CopyButton.tsx';
import {terminalCommands} from './terminal-commands.ts';
import './raw-tab.css';

export function RawTab({item}: {item: ItemDetail}) {
  const node = useCollection(item.collection);
  const cluster = useConnection(link => link.session?.cluster);
  const text = useMemo(() => yamlText(item.value), [item.value]);
  return (
    <div className="inspector-scroll raw">
      {terminalCommands(item, node?.resource, cluster).map(command => (
        <CopyCommand key={command} command={command} />
      ))}
      {item.writer ? (
        <p className="raw-writer">
          Last written by <b>{item.writer.manager}</b>, {item.writer.operation}
          {item.writer.time ? ` at ${item.writer.time}` : ''}
        </p>
      ) : null}
      <div className="raw-head row">
        <span className="label">YAML</span>
        <CopyButton text={text} label="Copy YAML" said="YAML copied" />
      </div>
      <pre className="raw-text mono">{text}</pre>
    </div>
  );
}
