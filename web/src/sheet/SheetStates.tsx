// The sheet's messages when there are no rows to show: denied, missing, syncing, empty, filtered out, rolled off.

import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Sheet} from '@krtscope/shared/sheet.ts';
import {ListProgress} from '../freshness/ListProgress.tsx';
import {sampleRole} from '../inspector/terminal-commands.ts';
import {copyText, navigate, setParams} from '../store/app.ts';
import {goLive, goTo, select, useNamespace, useParam} from '../store/navigation.ts';
import {Button} from '../ui/controls/Button.tsx';
import {CopyCommand} from '../ui/controls/CopyButton.tsx';
import {EmptyState, ErrorState} from '../ui/layout/Panel.tsx';
import {clockText} from '../ui/text/Age.tsx';
import {plural} from '../ui/text/plural.ts';
import {rootOf} from './columns/columns.ts';

export function SheetStates({
  sheet,
  root,
  selected,
  failure,
  graph,
  compact,
}: {
  sheet: Sheet | undefined;
  root: CollectionNode | undefined;
  selected: CollectionNode | undefined;
  failure: ApiFailure | undefined;
  graph: Graph;
  compact: boolean;
}) {
  const [q] = useParam('q');
  const [since] = useParam('since');
  const [namespace, setNamespace] = useNamespace();
  const filter = [
    namespace === null ? '' : `ns:${namespace}`,
    since === null ? '' : `since ${clockText(Number(since))}`,
    q ?? '',
  ]
    .filter(Boolean)
    .join(' ');
  if (failure) return <RolledOff failure={failure} />;
  if (root && root.state === 'forbidden')
    return (
      <EmptyState
        title={`${root.name} cannot be listed`}
        icon="lock"
        tone="error"
        actions={
          <>
            {root.hint ? <CopyCommand command={root.hint} /> : null}
            {root.resource ? (
              <Button
                look="ghost"
                icon="copy"
                onClick={() => void copyText(sampleRole(root.resource!), 'ClusterRole copied')}
              >
                Sample role
              </Button>
            ) : null}
          </>
        }
      >
        {root.reason ?? 'Your account may not list it.'}
      </EmptyState>
    );
  if (root && root.state === 'not installed')
    return (
      <EmptyState
        title={`${root.name} is not installed`}
        actions={root.hint ? <CopyCommand command={root.hint} /> : undefined}
      >
        {root.reason ?? 'The cluster does not serve this kind. Rows appear once it is installed.'}
      </EmptyState>
    );
  if (root && root.state === 'left out')
    return (
      <EmptyState title={`${root.name} is left out`}>
        {root.reason ?? 'krtscope was started with --without.'}
      </EmptyState>
    );
  if (root && !root.synced && (sheet?.of ?? 0) === 0)
    return (
      <EmptyState
        title={`${root.name} is syncing`}
        icon="clock"
        tone="stale"
        actions={
          root.waitingFor ? (
            <Button onClick={() => select({collection: root.waitingFor!})}>Show {root.waitingFor}</Button>
          ) : (
            <Button onClick={() => navigate({view: 'overview'})}>What blocks it</Button>
          )
        }
      >
        <ListProgress node={root} />
      </EmptyState>
    );
  if (!sheet) return null;
  if (sheet.total === 0 && sheet.of > 0)
    return (
      <EmptyState
        title={
          <>
            No rows match <code>{filter}</code>
          </>
        }
        actions={
          <Button
            keys="Escape"
            onClick={() => {
              setParams({q: null, since: null});
              setNamespace(null);
            }}
          >
            Clear filter
          </Button>
        }
      >
        {sheet.of.toLocaleString('en')} {sheet.of === 1 ? 'row is' : 'rows are'} hidden by the filter.
      </EmptyState>
    );
  if (sheet.of === 0)
    return (
      <EmptyState title={`${sheet.root} is empty here`}>
        No {sheet.root} exist at this moment, so nothing was computed from them.
      </EmptyState>
    );
  if (selected && selected.size === 0 && selected.synced && selected.kind !== 'source' && !compact)
    return (
      <EmptyCollection
        node={selected}
        input={graph.collections.find(one => one.name === inputName(graph, selected.name))}
      />
    );
  return null;
}

function inputName(graph: Graph, name: string): string {
  return graph.edges.find(edge => edge.to === name && edge.kind === 'input')?.from ?? rootOf(graph, name);
}

function EmptyCollection({node, input}: {node: CollectionNode; input: CollectionNode | undefined}) {
  return (
    <EmptyState
      title={`${node.name} is empty`}
      actions={
        <Button keys="Shift+W" onClick={() => navigate({view: 'why-not', collection: node.name})}>
          Why empty?
        </Button>
      }
    >
      {input
        ? `Input ${input.name} has ${plural(input.size, 'row')}; ${plural(node.runs, 'run')} returned nothing.`
        : 'It has no input.'}
    </EmptyState>
  );
}

function RolledOff({failure}: {failure: ApiFailure}) {
  const nearest = failure.nearest;
  if (failure.code !== 'rolled-off') return <ErrorState failure={failure} />;
  return (
    <ErrorState
      failure={failure}
      actions={
        <>
          {nearest === undefined ? null : (
            <Button look="primary" onClick={() => goTo(nearest)}>
              Go to #{nearest}
            </Button>
          )}
          <Button keys="Shift+End" onClick={goLive}>
            Back to live
          </Button>
        </>
      }
    />
  );
}
