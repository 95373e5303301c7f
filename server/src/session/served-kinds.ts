// What the cluster serves, refused in the API's words where it does not say or has no such kind.
import {EngineFailure} from '../engine/link/engine-link.ts';
import type {DiscoveredResource} from '../kube/discovery/discovery.ts';
import {findResource} from '../kube/discovery/find-resource.ts';
import {KindAccess} from '../kube/discovery/kind-access.ts';
import type {Wire} from '../kube/transport/transport.ts';

export class ServedKinds {
  readonly #kinds: KindAccess;

  constructor(transport: Wire, namespaces: readonly string[], now: () => number) {
    this.#kinds = new KindAccess(transport, namespaces, now);
  }

  list(): ReturnType<KindAccess['list']> {
    return convertDiscoveryError(this.#kinds.list());
  }

  /** Rejects with what the transport says. */
  refresh(): ReturnType<KindAccess['served']> {
    return this.#kinds.served({fresh: true});
  }

  /** `text` in any form that kubectl takes. */
  async find(text: string): Promise<{resource: DiscoveredResource; all: readonly DiscoveredResource[]}> {
    const known = await convertDiscoveryError(this.#kinds.served());
    const found = findResource(known.resources, text);
    if (found !== undefined) return {resource: found, all: known.resources};
    // A CRD may have come since it was asked.
    const {resources, failed} = await convertDiscoveryError(this.refresh());
    const resource = findResource(resources, text);
    if (resource !== undefined) return {resource, all: resources};
    const silent = failed.length === 0 ? '' : ` (${failed.join(', ')} did not answer)`;
    throw new EngineFailure({
      code: 'not-found',
      message: `this cluster serves no "${text}" that can be listed${silent}`,
      hint: 'GET /api/v1/kinds lists what it does serve; any form that kubectl takes will do',
    });
  }

  /** CRDs came, changed or went. */
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
      message: `the cluster does not say what it serves: ${(error as Error).message}`,
      hint: 'try again when it answers; /api/v1/session says how it stands',
    });
  }
}
