// Changes of many kinds in the mesh of shop.yaml, each as one kubectl command.

export interface IstiodChange {
  what: string;
  args: string[];
  /** Objects for `-f -`. */
  objects?: object[];
  /** What the rows may go back to, where istiod's document fails and does not show it. */
  expected?: {kind: string; key: string}[];
}

const apply = (what: string, ...objects: object[]): IstiodChange => ({
  what,
  args: ['apply', '-f', '-'],
  objects,
});
const patch = (what: string, namespace: string, name: string, body: object): IstiodChange => ({
  what,
  args: ['-n', namespace, 'patch', name, '--type=merge', '-p', JSON.stringify(body)],
});
const run = (what: string, command: string): IstiodChange => ({what, args: command.split(' ')});

const policy = (name: string, namespace: string, spec: object) => ({
  apiVersion: 'security.istio.io/v1',
  kind: 'AuthorizationPolicy',
  metadata: {name, namespace},
  spec,
});
const service = (name: string, namespace: string, spec: object, labels: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {name, namespace, labels},
  spec,
});
const networking = (kind: string, namespace: string, name: string, spec: object, labels: object = {}) => ({
  apiVersion: 'networking.istio.io/v1',
  kind,
  metadata: {name, namespace, labels},
  spec,
});
const gateway = {kind: 'Gateway', key: 'shop/shop-waypoint'};
const port = {number: 80, name: 'http', protocol: 'HTTP'};

/** In order: later ones build on earlier ones. */
export const istiodChanges: readonly IstiodChange[] = [
  // Namespaces
  run('label namespace shop use-waypoint=second', 'label ns shop --overwrite istio.io/use-waypoint=second'),
  run('namespace bank leaves the mesh', 'label ns bank istio.io/dataplane-mode-'),
  run('namespace bank joins the mesh', 'label ns bank istio.io/dataplane-mode=ambient'),
  run('annotate namespace shop', 'annotate ns shop example.com/note=hello'),
  apply(
    'namespace with a Deployment, a Service and a policy at once',
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {name: 'post', labels: {'istio.io/dataplane-mode': 'ambient'}},
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {name: 'mail', namespace: 'post'},
      spec: {
        replicas: 2,
        selector: {matchLabels: {app: 'mail'}},
        template: {metadata: {labels: {app: 'mail'}}, spec: {containers: [{name: 'c', image: 'post/mail'}]}},
      },
    },
    service('mail', 'post', {selector: {app: 'mail'}, ports: [{name: 'http', port: 80}]}),
    policy('mail', 'post', {selector: {matchLabels: {app: 'mail'}}, rules: [{}]}),
  ),
  // Services
  patch('patch service bank/pay selector app=pay', 'bank', 'service/pay', {spec: {selector: {app: 'pay'}}}),
  patch('service shop/cart gets a second port', 'shop', 'service/cart', {
    spec: {
      ports: [
        {name: 'http', port: 80},
        {name: 'grpc', port: 9000},
      ],
    },
  }),
  run('service shop/cart asks for its own waypoint', '-n shop label service cart istio.io/use-waypoint=own'),
  apply(
    'add service shop/extra',
    service('extra', 'shop', {selector: {app: 'cart'}, ports: [{name: 'http', port: 81}]}),
  ),
  run('delete service shop/extra', '-n shop delete service extra'),
  run(
    'annotate service shop/cart traffic-distribution',
    '-n shop annotate service cart networking.istio.io/traffic-distribution=PreferClose',
  ),
  // Pods and Deployments
  run('scale deployment shop/cart to 5', '-n shop scale deployment cart --replicas=5'),
  run('scale deployment shop/cart to 2', '-n shop scale deployment cart --replicas=2'),
  run('label every pod of shop/cart', '-n shop label pods -l app=cart tier=front'),
  run('delete the pods of bank/pay', '-n bank delete pod -l app=pay'),
  patch('rollout of shop/cart', 'shop', 'deployment/cart', {
    spec: {template: {metadata: {labels: {app: 'cart', version: 'v2'}}}},
  }),
  // Policies
  apply(
    'authorizationpolicy bank/deny',
    policy('deny', 'bank', {action: 'DENY', rules: [{from: [{source: {namespaces: ['shop']}}]}]}),
  ),
  patch('authorizationpolicy bank/deny selects app=pay', 'bank', 'authorizationpolicy/deny', {
    spec: {selector: {matchLabels: {app: 'pay'}}},
  }),
  run('delete authorizationpolicy bank/deny', '-n bank delete authorizationpolicy deny'),
  apply('mesh-wide authorizationpolicy', policy('all', 'istio-system', {rules: [{}]})),
  patch('peerauthentication bank/strict PERMISSIVE', 'bank', 'peerauthentication/strict', {
    spec: {mtls: {mode: 'PERMISSIVE'}},
  }),
  apply('mesh-wide peerauthentication', {
    apiVersion: 'security.istio.io/v1',
    kind: 'PeerAuthentication',
    metadata: {name: 'default', namespace: 'istio-system'},
    spec: {mtls: {mode: 'STRICT'}},
  }),
  run('delete peerauthentication bank/strict', '-n bank delete peerauthentication strict'),
  // ServiceEntries and WorkloadEntries
  patch('serviceentry bank/cards second host', 'bank', 'serviceentry/cards', {
    spec: {hosts: ['cards.example.com', 'pay.example.com']},
  }),
  apply(
    'serviceentry shop/vm with a selector',
    networking('ServiceEntry', 'shop', 'vm', {
      hosts: ['vm.example.com'],
      location: 'MESH_INTERNAL',
      resolution: 'STATIC',
      ports: [port],
      workloadSelector: {labels: {app: 'vm'}},
    }),
  ),
  apply(
    'workloadentry shop/vm-1',
    networking('WorkloadEntry', 'shop', 'vm-1', {
      address: '10.9.0.1',
      labels: {app: 'vm'},
      serviceAccount: 'vm',
    }),
  ),
  apply(
    'two workloadentries at once',
    ...['vm-2', 'vm-3'].map((name, at) =>
      networking('WorkloadEntry', 'shop', name, {address: `10.9.0.${at + 2}`, labels: {app: 'vm'}}),
    ),
  ),
  patch('workloadentry shop/vm-1 moves', 'shop', 'workloadentry/vm-1', {spec: {address: '10.9.0.9'}}),
  run('delete workloadentry shop/vm-2', '-n shop delete workloadentry vm-2'),
  apply(
    'serviceentry bank/hard with inline endpoints',
    networking('ServiceEntry', 'bank', 'hard', {
      hosts: ['hard.example.com'],
      location: 'MESH_INTERNAL',
      resolution: 'STATIC',
      ports: [port],
      endpoints: [{address: '10.8.0.1'}, {address: '10.8.0.2'}],
    }),
  ),
  run('delete serviceentry shop/vm', '-n shop delete serviceentry vm'),
  // Routes
  patch('virtualservice bank/pay timeout', 'bank', 'virtualservice/pay', {
    spec: {http: [{route: [{destination: {host: 'pay.bank.svc.cluster.local'}}], timeout: '5s'}]},
  }),
  apply(
    'virtualservice with a delegate',
    networking('VirtualService', 'shop', 'cart', {
      hosts: ['cart.example.com'],
      http: [{match: [{uri: {prefix: '/'}}], delegate: {name: 'cart-part', namespace: 'shop'}}],
    }),
    networking('VirtualService', 'shop', 'cart-part', {
      http: [{route: [{destination: {host: 'cart.shop.svc.cluster.local'}}]}],
    }),
  ),
  patch('the delegate changes', 'shop', 'virtualservice/cart-part', {
    spec: {http: [{route: [{destination: {host: 'cart.shop.svc.cluster.local'}}], timeout: '3s'}]},
  }),
  patch('destinationrule shop/cart', 'shop', 'destinationrule/cart', {
    spec: {trafficPolicy: {connectionPool: {tcp: {maxConnections: 7}}}},
  }),
  apply(
    'a second virtualservice and a sidecar',
    networking('VirtualService', 'shop', 'other', {
      hosts: ['other.example.com'],
      http: [{route: [{destination: {host: 'cart.shop.svc.cluster.local'}}]}],
    }),
    networking('Sidecar', 'shop', 'default', {egress: [{hosts: ['./*']}]}),
  ),
  patch('httproute shop/cart timeout', 'shop', 'httproute/cart', {
    spec: {rules: [{backendRefs: [{name: 'cart', port: 80}], timeouts: {request: '2s'}}]},
  }),
  // Nodes
  run('label node-1 zone', 'label node node-1 --overwrite topology.kubernetes.io/zone=zone-z'),
  run('label node-2 region', 'label node node-2 --overwrite topology.kubernetes.io/region=region-r'),
  run('label node-0 without meaning', 'label node node-3 --overwrite example.com/rack=7'),
  // Without consequences, several at once, deletes
  apply('configmap nobody reads', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'noise', namespace: 'istio-system'},
  }),
  apply(
    'a service and a policy at once',
    service('both', 'bank', {selector: {app: 'pay'}, ports: [{name: 'http', port: 80}]}),
    policy('both', 'bank', {rules: [{}]}),
  ),
  apply(
    'ingress shop/cart',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: {name: 'istio'},
      spec: {controller: 'istio.io/ingress-controller'},
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {name: 'cart', namespace: 'shop'},
      spec: {
        ingressClassName: 'istio',
        rules: [
          {
            host: 'cart.example.org',
            http: {
              paths: [
                {path: '/', pathType: 'Prefix', backend: {service: {name: 'cart', port: {number: 80}}}},
              ],
            },
          },
        ],
      },
    },
  ),
  run('delete ingress shop/cart', '-n shop delete ingress cart'),
  run('delete service shop/cart', '-n shop delete service cart'),
  run('delete namespace post', 'delete namespace post'),
  // Documents that fail
  {...run('waypoint.yaml', 'apply -f -'), expected: [gateway, {kind: 'GatewayClass', key: 'istio-waypoint'}]},
  {
    ...run(
      'namespace shop asks for shop-waypoint',
      'label ns shop --overwrite istio.io/use-waypoint=shop-waypoint',
    ),
    expected: [{kind: 'Namespace', key: 'shop'}],
  },
  {
    ...apply(
      'policy for the waypoint',
      policy('at-waypoint', 'shop', {
        targetRefs: [{kind: 'Gateway', group: 'gateway.networking.k8s.io', name: 'shop-waypoint'}],
        rules: [{}],
      }),
    ),
    expected: [gateway, {kind: 'AuthorizationPolicy', key: 'shop/at-waypoint'}],
  },
  {...run('delete waypoint', '-n shop delete gateway shop-waypoint'), expected: [gateway]},
];
