// The demo's content: namespaces, services and workloads of a small shop.

export interface ShopWorkload {
  namespace: string;
  name: string;
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  replicas: number;
  image: string;
  port: number;
  /** The app label of its Pods. */
  app: string;
  tier: string;
  /** The manager that wrote the manifest last. */
  manager: 'argocd-controller' | 'helm' | 'kubectl-client-side-apply';
  /** Minutes since it was first deployed, and since its last rollout. */
  age: number;
  rolled: number;
}

export interface ShopService {
  namespace: string;
  name: string;
  selector: Record<string, string>;
  port: number;
  targetPort: number;
  /** A second port of the Service, which gives each Pod two Endpoints. */
  metrics?: number;
  headless?: boolean;
  manager: string;
}

export const NAMESPACES: {name: string; labels: Record<string, string>}[] = [
  {name: 'shop', labels: {team: 'storefront', 'istio.io/use-waypoint': 'shop-waypoint'}},
  {name: 'web', labels: {team: 'edge', 'istio.io/use-waypoint': 'web-waypoint'}},
  {name: 'data', labels: {team: 'platform'}},
  {name: 'ops', labels: {team: 'platform'}},
];

const shopWorkload = (
  name: string,
  replicas: number,
  port: number,
  more: Partial<ShopWorkload> = {},
): ShopWorkload => ({
  namespace: 'shop',
  name,
  kind: 'Deployment',
  replicas,
  image: `shop/${name}:1.4.2`,
  port,
  app: name,
  tier: 'backend',
  manager: 'argocd-controller',
  age: 60 * 24 * 9,
  rolled: 60 * 5,
  ...more,
});

export const WORKLOADS: ShopWorkload[] = [
  shopWorkload('cart', 3, 8080),
  shopWorkload('catalog', 3, 8080, {image: 'shop/catalog:2.0.1', rolled: 60 * 26}),
  shopWorkload('checkout', 3, 8080, {rolled: 42}),
  shopWorkload('inventory', 3, 8080, {manager: 'helm'}),
  shopWorkload('orders', 3, 8080, {image: 'shop/orders:1.9.0'}),
  shopWorkload('payments', 3, 8443, {image: 'shop/payments:3.1.0', rolled: 95}),
  // The Service selects app=recommendations, which no Pod has.
  shopWorkload('recommendations', 2, 8080, {app: 'recommender', manager: 'kubectl-client-side-apply'}),
  shopWorkload('storefront', 6, 3000, {
    namespace: 'web',
    image: 'shop/storefront:5.2.0',
    tier: 'frontend',
    rolled: 12,
  }),
  shopWorkload('gateway', 3, 8443, {
    namespace: 'web',
    image: 'shop/gateway:1.21.0',
    tier: 'edge',
    manager: 'helm',
  }),
  shopWorkload('search', 3, 9200, {
    namespace: 'data',
    kind: 'StatefulSet',
    image: 'shop/search:8.4.0',
    tier: 'data',
    manager: 'helm',
  }),
  shopWorkload('redis', 3, 6379, {
    namespace: 'data',
    kind: 'StatefulSet',
    image: 'shop/redis:7.2.4',
    tier: 'data',
    manager: 'helm',
  }),
  shopWorkload('metrics', 2, 9090, {
    namespace: 'ops',
    image: 'shop/metrics:2.51.0',
    tier: 'ops',
    manager: 'helm',
  }),
  shopWorkload('log-agent', 3, 2020, {
    namespace: 'ops',
    kind: 'DaemonSet',
    image: 'shop/log-agent:3.0.3',
    tier: 'ops',
    manager: 'helm',
  }),
];

/** Services that also have a metrics port. */
const MEASURED = ['catalog', 'checkout'];

export const SERVICES: ShopService[] = WORKLOADS.filter(w => w.name !== 'log-agent').map(w => ({
  namespace: w.namespace,
  name: w.name,
  selector: {app: w.name},
  port: w.port === 8443 ? 8443 : w.kind === 'StatefulSet' ? w.port : 80,
  targetPort: w.port,
  ...(MEASURED.includes(w.name) && {metrics: 9090}),
  ...(w.kind === 'StatefulSet' && {headless: true}),
  manager: w.manager,
}));

export const NODE_NAMES = ['node-a', 'node-b', 'node-c'];
export const NODE_ZONES = ['eu-1a', 'eu-1b', 'eu-1c'];
