// Applies manifests through the API, changes them as objects, and waits for results.
import {parseAllDocuments, stringify} from 'yaml';
import type {DynamicClient} from '../../server/src/kube/client/dynamic-client.ts';
import {Discovery} from '../../server/src/kube/discovery/discovery.ts';
import type {KubeObject} from '../../server/src/kube/object.ts';

export function manifestsOf(text: string): KubeObject[] {
  return parseAllDocuments(text).map(document => document.toJS() as KubeObject);
}

/** Applies objects one after the other, as kubectl apply does. */
export async function applyAll(
  client: DynamicClient,
  objects: readonly KubeObject[],
  options: {dryRun?: boolean} = {},
): Promise<void> {
  const discovery = new Discovery(client.transport);
  for (const object of objects) {
    const [version = '', group = ''] = (object.apiVersion ?? '').split('/').reverse();
    const resource = await discovery.need({group, version, kind: object.kind});
    await client.apply(resource, object, {fieldManager: 'test', force: true, ...options});
  }
}

interface RoleRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

interface WeakenedRole {
  /** `list configmaps`, or `configmaps` for a whole rule. */
  without: string;
  role: KubeObject;
}

const isRole = ({kind}: KubeObject) => kind === 'ClusterRole' || kind === 'Role';

/** Only the plugin OwnerReferencesPermissionEnforcement demands this right, and these servers do not run it. */
const needsPlugin = ({resources}: RoleRule) => resources.some(name => name.endsWith('/finalizers'));

/** Every role without one of its rules. */
export function withoutRules(objects: readonly KubeObject[]): WeakenedRole[] {
  return objects.filter(isRole).flatMap(role => {
    const rules = role.rules as RoleRule[];
    return rules
      .filter(rule => !needsPlugin(rule))
      .map(rule => ({
        without: rule.resources.join(),
        role: {...role, rules: rules.filter(one => one !== rule)},
      }));
  });
}

/** Every role without one verb of one of its rules. */
export function withoutVerbs(objects: readonly KubeObject[]): WeakenedRole[] {
  return objects.filter(isRole).flatMap(role => {
    const rules = role.rules as RoleRule[];
    return rules.flatMap((rule, at) =>
      (needsPlugin(rule) ? [] : rule.verbs).map(verb => ({
        without: `${verb} ${rule.resources.join()}`,
        role: {
          ...role,
          rules: rules.with(at, {...rule, verbs: rule.verbs.filter(one => one !== verb)}),
        },
      })),
    );
  });
}

/**
 * Binds the roles of service accounts to a user, too: the embedded server issues no service account tokens.
 */
export function boundTo(user: string, objects: readonly KubeObject[]): KubeObject[] {
  const subject = {kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user};
  return objects.map(object =>
    object.kind?.endsWith('RoleBinding') ? {...object, subjects: [subject]} : object,
  );
}

export function kubeconfigOf(url: string, ca: string, token: string): string {
  const name = 'test';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {name, cluster: {server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64')}},
    ],
    users: [{name, user: {token}}],
    contexts: [{name, context: {cluster: name, user: name}}],
    'current-context': name,
  });
}
