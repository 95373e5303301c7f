// One minute of writes to the shop, for pictures: the same writes each time, at uneven times, by familiar tools.
import type {DynamicClient} from '../../server/src/kube/client/dynamic-client.ts';
import {resources} from '../../server/src/kube/resource.ts';

type ShopObject = {namespace: string; name: string};

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Seeded, so that two runs show the same story. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

export class ShopWrites {
  readonly #cluster: DynamicClient;
  readonly #roll = seededRandom(7);
  readonly #pods: ShopObject[];
  #turn = 0;

  private constructor(cluster: DynamicClient, pods: ShopObject[]) {
    this.#cluster = cluster;
    this.#pods = pods;
  }

  static async begin(cluster: DynamicClient): Promise<ShopWrites> {
    const {items} = await cluster.list(resources.Pods);
    return new ShopWrites(
      cluster,
      items.map(({metadata}) => ({namespace: metadata.namespace ?? '', name: metadata.name ?? ''})),
    );
  }

  /** About a minute: small writes, a selector that drifts and returns, a scale up and down, two waves. */
  async minute(): Promise<void> {
    await this.waypoint('shop', null);
    for (let step = 0; step < 72; step++) {
      await this.#small();
      if (step % 9 === 4) await this.#drift(step % 18 === 4);
      if (step === 20 || step === 44) await this.#scale(step === 20 ? 4 : 3);
      if (step === 30) await this.waypoint('web', 'web-wp');
      if (step === 52) await this.waypoint('data', 'data-wp');
      // Bursts and pauses, as people and controllers cause them.
      await pause(this.#roll(5) === 0 ? 1600 + this.#roll(1400) : 80 + this.#roll(620));
    }
  }

  /** The write that the pictures explain: a label on a Namespace. */
  waypoint(namespace: string, value: string | null): Promise<unknown> {
    return this.#patch(resources.Namespaces, {name: namespace}, 'kubectl-label', {
      metadata: {labels: {'istio.io/use-waypoint': value}},
    });
  }

  /** Later writes, which wait behind the badge. */
  async after(count: number): Promise<void> {
    for (let one = 0; one < count; one++) {
      await this.#small();
      await pause(40 + this.#roll(90));
    }
  }

  async #small(): Promise<void> {
    const turn = String(++this.#turn);
    const kind = this.#roll(10);
    if (kind < 6) {
      const pod = this.#pods[this.#roll(this.#pods.length)]!;
      const hands = ['kubelet', 'kubelet', 'argocd-controller', 'monitoring-agent'] as const;
      const field = kind === 0 ? 'labels' : 'annotations';
      await this.#patch(resources.Pods, pod, hands[this.#roll(hands.length)]!, {
        metadata: {[field]: {'shop.example/seen': turn}},
      }).catch(() => undefined);
      return;
    }
    const services = ['cart', 'catalog', 'checkout', 'orders', 'payments'];
    const service = services[this.#roll(services.length)]!;
    if (kind < 9)
      await this.#patch(resources.Services, {namespace: 'shop', name: service}, 'monitoring-agent', {
        metadata: {annotations: {'monitoring.example/last-scrape': turn}},
      });
    else
      await this.#patch(resources.ConfigMaps, {namespace: 'shop', name: 'feature-flags'}, 'kubectl-patch', {
        data: {'new-checkout': this.#turn % 2 === 0 ? 'true' : 'false'},
      });
  }

  /** Changes a selector to a version that no Pod has, and back. */
  #drift(away: boolean): Promise<unknown> {
    return this.#patch(resources.Services, {namespace: 'shop', name: 'inventory'}, 'helm', {
      spec: {selector: {app: 'inventory', version: away ? 'v2' : null}},
    });
  }

  #scale(replicas: number): Promise<unknown> {
    return this.#patch(resources.Deployments, {namespace: 'shop', name: 'cart'}, 'argocd-controller', {
      spec: {replicas},
    });
  }

  #patch(
    kind: (typeof resources)[keyof typeof resources],
    ref: {namespace?: string; name: string},
    fieldManager: string,
    body: object,
  ): Promise<unknown> {
    return this.#cluster.patch(kind, ref, body, {type: 'merge', fieldManager});
  }
}
