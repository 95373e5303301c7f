// The events of the demo shop, each worth finding in a debugger. A seed repeats their order.
import type {Api} from '../api.ts';
import {SeededRandom} from '../object/seeded-random.ts';
import {at, type JsonObject, listAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {isActive, isReady} from '../simulation/controllers/pod-controller.ts';
import {DEPLOYMENTS, type DirectClient, NETWORK_POLICIES, PODS} from '../simulation/direct-client.ts';
import {placementOf, restartsOf} from '../simulation/kubelet/kubelet.ts';
import {crashLoopStatus, runningStatus} from '../simulation/kubelet/pod-status.ts';

interface DemoEvent {
  /** Runs on every step whose number leaves this remainder. */
  every: number;
  rest: number;
  act: () => void;
}

const ROLLED = ['storefront', 'checkout', 'orders', 'cart', 'gateway', 'inventory'];
const WAYPOINT = 'istio.io/use-waypoint';

export class DemoEvents {
  readonly #client: DirectClient;
  readonly #chance: SeededRandom;
  readonly #beats: DemoEvent[];
  #number = 0;
  #revision = 1;

  constructor(api: Api, client: DirectClient) {
    this.#client = client;
    this.#chance = new SeededRandom(api.seed + 7919);
    // Primes, so that two events rarely happen in the same step.
    this.#beats = [
      {every: 2, rest: 0, act: () => this.#scrape()},
      {every: 3, rest: 1, act: () => this.#flipMetrics()},
      {every: 5, rest: 2, act: () => this.#crashPayments()},
      {every: 11, rest: 6, act: () => this.#editRoutes()},
      {every: 13, rest: 4, act: () => this.#toggleWaypoint()},
      {every: 17, rest: 9, act: () => this.#scaleCart()},
      {every: 19, rest: 8, act: () => this.#losePod()},
      {every: 23, rest: 10, act: () => this.#rollOut()},
      {every: 29, rest: 15, act: () => this.#driftSelector()},
      {every: 31, rest: 20, act: () => this.#rotateSecret()},
      {every: 37, rest: 25, act: () => this.#editPolicy()},
      {every: 41, rest: 30, act: () => this.#flipFlag()},
    ];
  }

  /** One step of the demo. Skips objects that were deleted. */
  step(): void {
    const step = this.#number++;
    for (const beat of this.#beats) if (step % beat.every === beat.rest) beat.act();
  }

  #pods(namespace: string, app: string): StoredObject[] {
    return this.#client
      .list(PODS, namespace)
      .filter(pod => pod.metadata.labels?.app === app && isActive(pod));
  }

  /** A monitoring agent notes the time of its check: a write that changes nothing downstream. */
  #scrape(): void {
    const services = this.#client
      .list('services')
      .filter(s => ['shop', 'web', 'data'].includes(s.metadata.namespace ?? ''));
    if (services.length === 0) return;
    const service = this.#chance.pick(services);
    this.#client.as('monitoring-agent').update('services', service, current => {
      current.metadata.annotations = {
        ...current.metadata.annotations,
        'monitoring.example/last-scrape': this.#client.api.timestamp(),
      };
    });
  }

  /** One Pod of metrics switches between ready and not ready. */
  #flipMetrics(): void {
    const pod = this.#pods('ops', 'metrics').at(-1);
    if (!pod || stringAt(pod, 'status', 'phase') !== 'Running') return;
    const time = this.#client.api.timestamp();
    this.#client
      .as('kubelet')
      .setStatus(PODS, pod, runningStatus(pod, placementOf(pod), {time, ready: !isReady(pod)}));
  }

  /** payments starts, crashes, waits and starts again. */
  #crashPayments(): void {
    const pods = this.#pods('shop', 'payments').filter(pod => stringAt(pod, 'status', 'podIP') !== '');
    const pod = pods.find(p => restartsOf(p) > 0) ?? pods.at(-1);
    if (!pod) return;
    const time = this.#client.api.timestamp();
    const waiting = at(listAt(pod, 'status', 'containerStatuses')[0], 'state', 'waiting') !== undefined;
    const restarts = restartsOf(pod) + (waiting ? 1 : 0);
    const lastState = at(listAt(pod, 'status', 'containerStatuses')[0], 'lastState') as
      | JsonObject
      | undefined;
    const status = waiting
      ? runningStatus(pod, placementOf(pod), {time, ready: false, restarts, ...(lastState && {lastState})})
      : crashLoopStatus(pod, placementOf(pod), {time, ready: false, restarts: Math.max(1, restarts)});
    this.#client.as('kubelet').setStatus(PODS, pod, status);
  }

  #editRoutes(): void {
    const found = this.#client.get('configmaps', 'web', 'gateway-routes');
    if (!found) return;
    this.#revision++;
    this.#client.as('argocd-controller').update('configmaps', found, current => {
      const routes = ['/', '/cart', '/checkout', ...(this.#revision % 2 === 0 ? ['/gifts'] : [])];
      current.data = {'routes.json': JSON.stringify({revision: this.#revision, routes})};
    });
  }

  /** A user deletes a Pod, and its owner creates another one. */
  #losePod(): void {
    const pods = this.#client
      .list(PODS, this.#chance.pick(['shop', 'web']))
      .filter(pod => isActive(pod) && pod.metadata.labels?.app !== 'catlog');
    if (pods.length > 0) this.#client.as('kubectl').delete(PODS, this.#chance.pick(pods));
  }

  /** The autoscaler follows the traffic. */
  #scaleCart(): void {
    const found = this.#client.get(DEPLOYMENTS, 'shop', 'cart');
    if (!found) return;
    const replicas = at(found, 'spec', 'replicas') === 3 ? 4 : 3;
    this.#client.update(
      DEPLOYMENTS,
      found,
      current => {
        (current.spec as JsonObject).replicas = replicas;
      },
      'scale',
    );
  }

  #toggleWaypoint(): void {
    const found = this.#client.get('namespaces', '', 'shop');
    if (!found) return;
    this.#client.as('kubectl-label').update('namespaces', found, current => {
      const labels = {...current.metadata.labels};
      if (labels[WAYPOINT]) delete labels[WAYPOINT];
      else labels[WAYPOINT] = 'shop-waypoint';
      current.metadata.labels = labels;
    });
  }

  /** The service's deployer rolls out a new image. */
  #rollOut(): void {
    const name = this.#chance.pick(ROLLED);
    const namespace = name === 'storefront' || name === 'gateway' ? 'web' : 'shop';
    const found = this.#client.get(DEPLOYMENTS, namespace, name);
    if (!found) return;
    const manager =
      found.metadata.managedFields?.find(m => m.operation === 'Update' && !m.subresource)?.manager ??
      'argocd-controller';
    this.#client.as(manager).update(DEPLOYMENTS, found, current => {
      const container = listAt(current, 'spec', 'template', 'spec', 'containers')[0] as JsonObject;
      container.image = nextImage(String(container.image));
    });
  }

  /** A Service selects a version that no Pod has, and selects the right one again some steps later. */
  #driftSelector(): void {
    const found = this.#client.get('services', 'shop', 'inventory');
    if (!found) return;
    this.#client.as('helm').update('services', found, current => {
      const spec = current.spec as JsonObject;
      const drifted = at(spec, 'selector', 'version') !== undefined;
      spec.selector = drifted ? {app: 'inventory'} : {app: 'inventory', version: 'v2'};
    });
  }

  #rotateSecret(): void {
    const found = this.#client.get('secrets', 'shop', 'payments-tls');
    if (!found) return;
    const text = (what: string) => Buffer.from(`${what} ${++this.#revision}`).toString('base64');
    this.#client.as('cert-manager-certificates-issuing').update('secrets', found, current => {
      current.data = {'tls.crt': text('certificate'), 'tls.key': text('key')};
    });
  }

  #editPolicy(): void {
    const found = this.#client.get(NETWORK_POLICIES, 'shop', 'payments-from-checkout');
    if (!found) return;
    this.#client.as('kubectl-edit').update(NETWORK_POLICIES, found, current => {
      const rule = listAt(current, 'spec', 'ingress')[0] as JsonObject;
      const checkout = {podSelector: {matchLabels: {app: 'checkout'}}};
      const orders = {podSelector: {matchLabels: {app: 'orders'}}};
      rule.from = listAt(rule, 'from').length > 1 ? [checkout] : [checkout, orders];
    });
  }

  #flipFlag(): void {
    const found = this.#client.get('configmaps', 'shop', 'feature-flags');
    if (!found) return;
    this.#client.as('kubectl-patch').update('configmaps', found, current => {
      const data = current.data as Record<string, string>;
      data['new-checkout'] = data['new-checkout'] === 'true' ? 'false' : 'true';
    });
  }
}

/** shop/cart:1.4.2 becomes shop/cart:1.4.3. */
function nextImage(image: string): string {
  return image.replace(/(\d+)$/, last => String(Number(last) + 1));
}
