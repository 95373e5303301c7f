// The shop's ConfigMaps, Secrets and NetworkPolicies, with their managers.
import type {JsonObject} from '../object/stored-object.ts';

interface ShopConfiguration {
  path: string;
  manager: string;
  object: JsonObject;
}

const NETWORK_POLICIES = 'networkpolicies.v1.networking.k8s.io';

const base64 = (text: string) => Buffer.from(text).toString('base64');

export const SHOP_CONFIGURATION: ShopConfiguration[] = [
  {
    path: 'configmaps',
    manager: 'argocd-controller',
    object: {
      metadata: {name: 'gateway-routes', namespace: 'web'},
      data: {'routes.json': '{"revision":1,"routes":["/","/cart","/checkout"]}'},
    },
  },
  {
    path: 'configmaps',
    manager: 'helm',
    object: {
      metadata: {name: 'storefront-config', namespace: 'web'},
      data: {theme: 'autumn', 'cache.seconds': '60'},
    },
  },
  {
    path: 'configmaps',
    manager: 'kubectl-client-side-apply',
    object: {
      metadata: {name: 'feature-flags', namespace: 'shop'},
      data: {'new-checkout': 'false', 'gift-cards': 'true'},
    },
  },
  {
    path: 'configmaps',
    manager: 'helm',
    object: {metadata: {name: 'metrics-rules', namespace: 'ops'}, data: {'rules.yaml': 'groups: []\n'}},
  },
  {
    path: 'secrets',
    manager: 'cert-manager-certificates-issuing',
    object: {
      metadata: {name: 'payments-tls', namespace: 'shop'},
      type: 'kubernetes.io/tls',
      data: {'tls.crt': base64('certificate 1'), 'tls.key': base64('key 1')},
    },
  },
  {
    path: 'secrets',
    manager: 'kubectl-create',
    object: {
      metadata: {name: 'orders-db', namespace: 'shop'},
      data: {username: base64('orders'), password: base64('only a demo')},
    },
  },
  {
    path: NETWORK_POLICIES,
    manager: 'kubectl-client-side-apply',
    object: {
      metadata: {name: 'payments-from-checkout', namespace: 'shop'},
      spec: {
        podSelector: {matchLabels: {app: 'payments'}},
        policyTypes: ['Ingress'],
        ingress: [{from: [{podSelector: {matchLabels: {app: 'checkout'}}}], ports: [{port: 8443}]}],
      },
    },
  },
  {
    path: NETWORK_POLICIES,
    manager: 'argocd-controller',
    object: {
      metadata: {name: 'data-from-shop', namespace: 'data'},
      spec: {
        podSelector: {matchExpressions: [{key: 'app', operator: 'In', values: ['redis', 'search']}]},
        policyTypes: ['Ingress'],
        ingress: [{from: [{namespaceSelector: {matchLabels: {team: 'storefront'}}}]}],
      },
    },
  },
  {
    path: NETWORK_POLICIES,
    manager: 'kubectl-client-side-apply',
    object: {
      metadata: {name: 'default-deny', namespace: 'shop'},
      spec: {podSelector: {}, policyTypes: ['Ingress']},
    },
  },
];
