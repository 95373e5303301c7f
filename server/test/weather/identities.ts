// Credentials on a real server that end: tokens that are revoked, certificates that expire.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {generate} from 'selfsigned';
import {type Resource, resources} from '../../src/kube/resource.ts';
import type {TestServer} from '../servers.ts';

const namespace = 'default';
const account = 'visitor';
const serviceAccounts: Resource = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};
const bindings: Resource = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'clusterrolebindings',
  kind: 'ClusterRoleBinding',
  namespaced: false,
};

/** A ServiceAccount with all rights, for tokens. */
export async function makeAccount({client}: TestServer): Promise<void> {
  await client.create(serviceAccounts, {metadata: {namespace, name: account}});
  await client.create(bindings, {
    metadata: {name: account},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin'},
    subjects: [{kind: 'ServiceAccount', namespace, name: account}],
  } as never);
}

/** A token of that account, and a function that revokes it. */
export async function makeToken(
  {client}: TestServer,
  name: string,
): Promise<{token: string; end: () => Promise<void>}> {
  const {metadata} = await client.create(resources.Secrets, {metadata: {namespace, name}});
  const boundObjectRef = {kind: 'Secret', apiVersion: 'v1', name, uid: metadata.uid};
  const {body} = await client.transport.request<{status: {token: string}}>({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    body: {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {boundObjectRef}},
  });
  return {
    token: body.status.token,
    end: async () => void (await client.delete(resources.Secrets, {namespace, name})),
  };
}

/** An expired certificate of the server's own authority. */
export async function expiredCertificate(server: TestServer & {state: string}): Promise<object> {
  const pki = (file: string) => readFileSync(join(server.state, 'pki', file), 'utf8');
  const day = 86_400_000;
  const {cert, private: key} = await generate(
    [
      {name: 'commonName', value: 'test-admin'},
      {name: 'organizationName', value: 'system:masters'},
    ],
    {
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: new Date(Date.now() - 2 * day),
      notAfterDate: new Date(Date.now() - day),
      ca: {key: pki('ca.key'), cert: pki('ca.crt')},
      extensions: [{name: 'extKeyUsage', clientAuth: true}],
    },
  );
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {'client-certificate-data': base64(cert), 'client-key-data': base64(key)};
}
