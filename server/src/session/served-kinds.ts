// The kinds that the cluster serves, with API errors for unknown ones.
import {EngineFailure} from '../engine/link/engine-link.ts';
import type {DiscoveredResource} from '../kube/discovery/discovery.ts';
import {findResource} from '../kube/discovery/find-resource.ts';
import {KindAccess} from '../kube/discovery/kind-access.ts';
import type {Resource} from '../kube/resource.ts';
import type {Wire} from '../kube/transport/transport.ts';

export class ServedKinds {
  readonly #kinds: KindAccess;

  constructor(transport: Wire, namespaces: readonly string[], now: () => number) {
    this.#kinds = new KindAccess(transport, namespaces, now);
  }

  list(isKnown: (resource: Resource) => boolean): ReturnType<KindAccess['list']> {
    return convertDiscoveryError(this.#kinds.list(isKnown));
  }

  /** Rejects with the transport's error. */
  refresh(): ReturnType<KindAccess['served']> {
    return this.#kinds.served({fresh: true});
  }

  /** Resources of one group now. Rejects with the transport's error. */
  inGroup(group: string): ReturnType<KindAccess['inGroup']> {
    return this.#kinds.inGroup(group);
  }

  /** `text` is in any form that kubectl accepts. */
  async find(text: string): Promise<{resource: DiscoveredResource; all: readonly DiscoveredResource[]}> {
    const served = await convertDiscoveryError(this.#kinds.served());
    const found = findResource(served.resources, text);
    if (found !== undefined) return {resource: found, all: served.resources};
    // A CRD may be newer than the last answer.
    const {resources, failed} = await convertDiscoveryError(this.refresh());
    const resource = findResource(resources, text);
    if (resource !== undefined) return {resource, all: resources};
    const failedText = failed.length === 0 ? '' : ` (${failed.join(', ')} did not answer)`;
    throw new EngineFailure({
      code: 'not-found',
      message: `this cluster serves no "${text}" that can be listed${failedText}`,
      hint: 'GET /api/v1/kinds lists the kinds; name them as for kubectl get',
    });
  }

  /** Forgets the kinds after a change of CRDs. */
  forget(): void {
    this.#kinds.forget();
  }
}

async function convertDiscoveryError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new EngineFailure({
      code: 'cluster-unreachable',
      message: `the cluster did not list its kinds: ${(error as Error).message}`,
      hint: 'try again when it answers; /api/v1/session shows its state',
    });
  }
}
