// Live cluster: the kubeconfig's contexts and whether each can be reached.
import type {Contexts, KubeconfigContext} from '@krtscope/shared/session.ts';
import {Button} from '../ui/controls/Button.tsx';
import {CopyButton} from '../ui/controls/CopyButton.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {Card} from './Card.tsx';
import './live-card.css';

export function LiveCard(props: {
  contexts: Contexts | null;
  loading: boolean;
  current: string | null;
  highlighted: boolean;
  busy: boolean;
  problem: string | null;
  namespaces: string;
  onNamespaces: (text: string) => void;
  onContext: (name: string) => void;
  onRetry: () => void;
  onOpen: () => void;
}) {
  const all = props.contexts?.contexts ?? [];
  return (
    <Card
      title="Live cluster"
      icon="cube"
      keys="Enter"
      stays
      highlighted={props.highlighted}
      problem={props.problem}
      lead={
        props.contexts?.kubeconfig ? (
          <>
            From <code>{props.contexts.kubeconfig}</code>
          </>
        ) : (
          'The contexts of your kubeconfig.'
        )
      }
      foot={
        <>
          <Button
            look={props.highlighted ? 'primary' : 'outline'}
            size="large"
            keys="Enter"
            disabled={props.current === null || props.busy}
            onClick={props.onOpen}
          >
            {props.busy ? 'Opening…' : props.current === null ? 'Open' : `Open ${props.current}`}
          </Button>
          <span className="card-note">GET only, nothing is written</span>
        </>
      }
    >
      {all.length === 0 ? (
        <NoContexts loading={props.loading} onRetry={props.onRetry} />
      ) : (
        <fieldset className="contexts">
          <legend className="visually-hidden">Context</legend>
          {all.map(context => (
            <ContextRow
              key={context.name}
              context={context}
              chosen={context.name === props.current}
              onChoose={() => props.onContext(context.name)}
              onRetry={props.onRetry}
            />
          ))}
        </fieldset>
      )}
      {all.length === 0 ? null : (
        <label className="context-namespaces">
          <span>Namespaces</span>
          <small>leave empty for all</small>
          <input
            type="text"
            value={props.namespaces}
            placeholder="shop, web"
            spellCheck={false}
            autoComplete="off"
            onChange={event => props.onNamespaces(event.currentTarget.value)}
            onKeyDown={event => {
              if (event.key === 'Enter') props.onOpen();
            }}
          />
        </label>
      )}
    </Card>
  );
}

function NoContexts({loading, onRetry}: {loading: boolean; onRetry: () => void}) {
  return (
    <div className="no-contexts column gap-10">
      {loading ? (
        'Asking each context for its version…'
      ) : (
        <>
          <p>
            No kubeconfig was found. Set <code>KUBECONFIG</code>, start with <code>--kubeconfig FILE</code>,
            or open the demo.
          </p>
          <Button size="small" onClick={onRetry}>
            Search again
          </Button>
        </>
      )}
    </div>
  );
}

function ContextRow(props: {
  context: KubeconfigContext;
  chosen: boolean;
  onChoose: () => void;
  onRetry: () => void;
}) {
  const {context, chosen} = props;
  const command = `kubectl --context ${context.name} version`;
  return (
    <div className={`context ${chosen ? 'context-chosen' : ''}`}>
      <label className="context-label row gap-12">
        <input
          type="radio"
          name="context"
          className="context-radio"
          checked={chosen}
          onChange={props.onChoose}
        />
        <span className="context-words column">
          <span className="context-name">
            {context.name}
            {context.current ? <span className="context-current"> current</span> : null}
          </span>
          {context.reachable ? (
            <code className="context-server ellipsis" title={context.server}>
              {context.server}
              {context.version ? `, ${context.version}` : ''}
            </code>
          ) : (
            <span className="context-error">{context.error?.message ?? 'does not answer'}</span>
          )}
        </span>
      </label>
      {context.reachable ? (
        <span className="context-time inline-row gap-6">
          <Icon name="check" size={14} />
          <span className="visually-hidden">answers in</span> {Math.round(context.milliseconds ?? 0)} ms
        </span>
      ) : (
        <span className="context-actions">
          <Button size="small" onClick={props.onRetry} aria-label={`Retry ${context.name}`}>
            Retry
          </Button>
          <CopyButton text={command} label={`Copy ${command}`} said="Command copied" />
        </span>
      )}
    </div>
  );
}
