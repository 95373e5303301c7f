// The objects of each namespace: a default ServiceAccount and the CA certificate.
import type {DirectClient} from '../direct-client.ts';

const ROOT_CA = 'kube-root-ca.crt';
const DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

export function setUpNamespace(client: DirectClient, name: string): void {
  const namespace = client.get('namespaces', '', name);
  if (!namespace || namespace.metadata.deletionTimestamp) return;
  if (!client.get('serviceaccounts', name, 'default')) {
    client.create('serviceaccounts', {metadata: {name: 'default', namespace: name}});
  }
  if (!client.get('configmaps', name, ROOT_CA)) {
    client.create('configmaps', {
      metadata: {name: ROOT_CA, namespace: name, annotations: {'kubernetes.io/description': DESCRIPTION}},
      data: {'ca.crt': client.api.ca},
    });
  }
}
