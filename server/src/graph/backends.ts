// Backends: Endpoints and SliceEndpoints side by side, and where they agree.
import {type Collection, joinWithMergeCollection} from '../krt/index.ts';
import {endpointKey, type ServiceEndpoint} from './endpoints.ts';

export interface Backend extends Omit<ServiceEndpoint, 'from' | 'ready'> {
  /** Ready in the Pods and in the slices; absent where that side has no such endpoint. */
  readonly pods?: boolean;
  readonly slices?: boolean;
  /** `by-hand`: a slice of another writer, such as that of default/kubernetes, which needs no Pod. */
  readonly agreement: 'agree' | 'only-pods' | 'only-slices' | 'ready-differs' | 'by-hand';
}

export function newBackends(
  endpoints: Collection<ServiceEndpoint>,
  sliceEndpoints: Collection<ServiceEndpoint>,
): Collection<Backend> {
  return joinWithMergeCollection<ServiceEndpoint | Backend>([endpoints, sliceEndpoints], merge, {
    name: 'Backends',
    key: row => endpointKey(row as ServiceEndpoint),
    namespace: ({namespace}) => namespace,
  }) as Collection<Backend>;
}

function merge(rows: readonly (ServiceEndpoint | Backend)[]): Backend {
  const sides = rows as readonly ServiceEndpoint[];
  const pods = sides.find(({from}) => from === 'pods')?.ready;
  const slice = sides.find(({from}) => from !== 'pods');
  const slices = slice?.ready;
  const {from: _, ready: __, ...common} = sides[0] as ServiceEndpoint;
  const agreement = slice?.from === 'by-hand' && pods === undefined ? 'by-hand' : agreementOf(pods, slices);
  return {...common, pods, slices, agreement};
}

function agreementOf(pods: boolean | undefined, slices: boolean | undefined): Backend['agreement'] {
  if (slices === undefined) return 'only-pods';
  if (pods === undefined) return 'only-slices';
  return pods === slices ? 'agree' : 'ready-differs';
}
