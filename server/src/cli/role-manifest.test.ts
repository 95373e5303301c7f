import {expect, test} from 'vitest';
import {parseRights, roleManifests} from './role-manifest.ts';

test('what is listed everywhere is written everywhere, and the rest stays in its namespace', () => {
  const line = (verb: string, group: string, resource: string, subresource: string, namespace: string) =>
    `krtscope_used_rights_total{verb="${verb}",group="${group}",resource="${resource}",subresource="${subresource}",namespace="${namespace}"} 3`;
  const rights = parseRights(
    [
      '# TYPE krtscope_used_rights_total counter',
      line('list', 'example.com', 'websites', '', ''),
      line('watch', 'example.com', 'websites', '', ''),
      line('patch', 'example.com', 'websites', 'status', 'default'),
      line('list', '', 'configmaps', '', ''),
      line('watch', '', 'configmaps', '', ''),
      line('get', 'coordination.k8s.io', 'leases', '', 'ops'),
      line('update', 'coordination.k8s.io', 'leases', '', 'ops'),
      'other_total{verb="get"} 1',
    ].join('\n'),
  );
  expect(roleManifests(rights, 'website-operator')).toBe(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: website-operator
rules:
  - apiGroups:
      - ""
    resources:
      - configmaps
    verbs:
      - list
      - watch
  - apiGroups:
      - example.com
    resources:
      - websites
    verbs:
      - list
      - watch
  - apiGroups:
      - example.com
    resources:
      - websites/status
    verbs:
      - patch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: website-operator
  namespace: ops
rules:
  - apiGroups:
      - coordination.k8s.io
    resources:
      - leases
    verbs:
      - get
      - update
`);
});
