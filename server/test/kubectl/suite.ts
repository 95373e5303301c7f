// Everyday kubectl commands and their output, on the embedded cluster and on a real one. The real one proves
// that the expectations are right.

import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {resources} from '../../src/kube/resource.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {kubectlControllersSuite} from './controllers-suite.ts';
import {Kubectl, packedKubectl} from './kubectl.ts';
import {deployment, map} from './objects.ts';

let namespaces = 0;

export function kubectlSuite(version: '1.36' | '1.32'): (server: () => TestServer) => void {
  return server => {
    const packed = packedKubectl(version);
    if (!packed) console.warn(`no kubectl ${version} in the shared folder: its suite is skipped`);
    describe.skipIf(!packed)(`kubectl ${version}`, () => {
      let kubectl: Kubectl;
      let ns: string;

      beforeAll(async () => {
        kubectl = await Kubectl.unpack(packed!, server().kubeconfig);
      });
      afterAll(() => kubectl.remove());
      // A new namespace for each try: a second try must not find objects of the first.
      beforeEach(async () => {
        ns = `kubectl-${process.pid}-${namespaces++}`;
        await server().client.create(resources.Namespaces, {metadata: {name: ns}});
      });
      afterEach(() => server().client.delete(resources.Namespaces, {name: ns}));
      const k = (line: string, input?: string | object) => kubectl.ok(['-n', ns, ...line.split(' ')], input);

      test('version and api-resources', async () => {
        const versions = JSON.parse(await k('version -o json')) as Record<string, {gitVersion: string}>;
        expect(versions.clientVersion?.gitVersion).toContain(`v${version}`);
        expect(versions.serverVersion?.gitVersion).toBe(server().version);
        const list = await k('api-resources');
        expect(list).toMatch(/^pods +po +v1 +true +Pod$/m);
        expect(list).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
        expect(list).toMatch(/^namespaces +ns +v1 +false +Namespace$/m);
        expect(await k('api-resources --namespaced=false -o name')).toContain('nodes\n');
        expect(await k('api-versions')).toContain('apps/v1\n');
      });

      test('create, get, get -o wide, -o yaml, -l, --field-selector', async () => {
        expect(await k('create -f -', map('one', {a: 'b'}))).toBe('configmap/one created\n');
        await k('create -f -', map('two', {x: 'y'}, {labels: {tier: 'back'}}));
        expect(await k('get configmaps')).toMatch(/^NAME +DATA +AGE\n(.*\n)*one +1 +\d+s\n/);
        expect(await k('get configmaps -l tier=back -o name')).toBe('configmap/two\n');
        expect(await k('get cm --field-selector metadata.name=one -o name')).toBe('configmap/one\n');
        expect(await k('get cm -l tier --show-labels')).toMatch(/two +1 +\d+s +tier=back/);
        const yaml = await k('get configmap one -o yaml');
        expect(yaml).toMatch(/^apiVersion: v1\ndata:\n {2}a: b\nkind: ConfigMap\nmetadata:\n/);
        expect(yaml).not.toContain('managedFields');
        expect(await k('get cm one -o yaml --show-managed-fields')).toContain('manager: kubectl-create');
        expect(await k('get cm one -o jsonpath={.data.a}')).toBe('b');
        const missing = await kubectl.run(['-n', ns, 'get', 'cm', 'none']);
        expect(missing).toMatchObject({
          code: 1,
          stderr: 'Error from server (NotFound): configmaps "none" not found\n',
        });
        expect(await k('get nodes -o wide')).toMatch(/^NAME +STATUS +ROLES +AGE +VERSION +INTERNAL-IP/);
      });

      test('a List is created, applied and applied on the server', async () => {
        const list = (value: string) => ({
          apiVersion: 'v1',
          kind: 'List',
          items: [map('list-a', {value}), map('list-b', {value})],
        });
        expect(await k('create -f -', list('1'))).toBe(
          'configmap/list-a created\nconfigmap/list-b created\n',
        );
        expect(await k('apply -f -', list('2'))).toMatch(
          /list-a configured\nconfigmap\/list-b configured\n$/,
        );
        expect(await k('apply --server-side --force-conflicts -f -', list('3'))).toBe(
          'configmap/list-a serverside-applied\nconfigmap/list-b serverside-applied\n',
        );
        const both = await k('get cm list-a list-b -o yaml');
        expect(await k('apply -f -', both)).toContain('configmap/list-a');
      });

      test('what kubectl scale wrote is a conflict for server-side apply', async () => {
        await k('apply -f -', deployment('scaled', 1));
        await k('scale deployment scaled --replicas=2');
        const refused = await kubectl.run(
          ['-n', ns, 'apply', '--server-side', '-f', '-'],
          deployment('scaled', 4),
        );
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(
          'conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas',
        );
        expect(await k('get deployment scaled -o jsonpath={.spec.replicas}')).toBe('2');
      });

      test('an Ingress and an autoscaler by words alone', async () => {
        expect(await k('create ingress by-words --rule=foo.com/*=svc:80')).toContain('by-words created');
        expect(await k('get ingress by-words')).toMatch(/^by-words +<none> +foo\.com +80 +\d+s$/m);
        // An older kubectl writes autoscaling/v1, which the embedded cluster does not serve.
        if (version !== '1.36') return;
        await k('apply -f -', deployment('auto', 1));
        expect(await k('autoscale deployment auto --max=3')).toContain('/auto autoscaled');
        expect(await k('get hpa auto -o jsonpath={.spec.maxReplicas}')).toBe('3');
      });

      test('the old form of a watch, and a watch that names a page', async () => {
        await k('create -f -', map('one', {}));
        const old = await k(`get --raw /api/v1/watch/namespaces/${ns}/configmaps?timeoutSeconds=1`);
        expect(old).toMatch(/^\{"type":"ADDED"/);
        const path = `/api/v1/namespaces/${ns}/configmaps?watch=1&continue=abc`;
        const refused = await kubectl.run(['get', '--raw', path]);
        expect(refused.stderr).toContain('resourceVersionMatch is forbidden when continue is provided');
      });

      test('create by words alone: a ConfigMap, a Secret, a Namespace', async () => {
        expect(await k('create configmap words --from-literal=a=b')).toBe('configmap/words created\n');
        expect(await k('get cm words -o jsonpath={.data}')).toBe('{"a":"b"}');
        expect(await k('create secret generic words --from-literal=a=b')).toBe('secret/words created\n');
        expect(await k('get secret words -o jsonpath={.data.a}')).toBe('Yg==');
        expect(await k(`create namespace ${ns}-words`)).toBe(`namespace/${ns}-words created\n`);
        expect(await k(`delete namespace ${ns}-words --wait=false`)).toMatch(/deleted/);
      });

      test('get -w follows', async () => {
        const watch = kubectl.follow(['-n', ns, 'get', 'cm', '-w', '-l', 'watched']);
        try {
          await k('create -f -', map('w', {}, {labels: {watched: '1'}}));
          await eventually(
            () => `the add in ${watch.lines}`,
            () => watch.lines.some(line => /^w +0 /.test(line)),
          );
          await k('patch cm w --type merge -p {"data":{"k":"v"}}');
          await eventually(
            () => `the change in ${watch.lines}`,
            () => watch.lines.some(line => /^w +1 /.test(line)),
          );
        } finally {
          watch.stop();
        }
      });

      test('apply creates, changes, leaves alone; diff shows the difference', async () => {
        expect(await k('apply -f -', map('applied', {a: '1', b: '2'}))).toBe('configmap/applied created\n');
        expect(await k('apply -f -', map('applied', {a: '1', b: '2'}))).toBe('configmap/applied unchanged\n');
        const diff = await kubectl.run(['-n', ns, 'diff', '-f', '-'], map('applied', {a: '3'}));
        expect(diff.code).toBe(1);
        expect(diff.stdout).toMatch(/^- {2}a: "1"$/m);
        expect(diff.stdout).toMatch(/^\+ {2}a: "3"$/m);
        expect(await k('apply -f -', map('applied', {a: '3'}))).toBe('configmap/applied configured\n');
        expect(await k('get cm applied -o jsonpath={.data}')).toBe('{"a":"3"}');
        expect((await kubectl.run(['-n', ns, 'diff', '-f', '-'], map('applied', {a: '3'}))).code).toBe(0);
        expect(await k('apply --dry-run=server -f -', map('dry', {}))).toBe(
          'configmap/dry created (server dry run)\n',
        );
        const wrong = await kubectl.run(['-n', ns, 'apply', '-f', '-'], {...map('bad', {}), extra: 1});
        expect(wrong.code).toBe(1);
        expect(wrong.stderr).toContain('strict decoding error: unknown field "extra"');
      });

      test('apply --server-side owns its fields', async () => {
        const one = '--server-side --field-manager=one -f -';
        expect(await k(`apply ${one}`, map('shared', {a: '1'}))).toBe(
          'configmap/shared serverside-applied\n',
        );
        const args = ['-n', ns, 'apply', '--server-side', '--field-manager=two', '-f', '-'];
        const conflict = await kubectl.run(args, map('shared', {a: '2'}));
        expect(conflict.code).toBe(1);
        expect(conflict.stderr).toContain('Apply failed with 1 conflict: conflict with "one": .data.a');
        await k('apply --server-side --field-manager=two --force-conflicts -f -', map('shared', {a: '2'}));
        expect(await k('get cm shared -o jsonpath={.data.a}')).toBe('2');
      });

      test('patch of three types, label, annotate', async () => {
        await k('create -f -', deployment('patched', 0));
        const image = '-o jsonpath={.spec.template.spec.containers[*].image}';
        await k(
          'patch deployment patched -p {"spec":{"template":{"spec":{"containers":[{"name":"side","image":"envoy"}]}}}}',
        );
        expect((await k(`get deployment patched ${image}`)).split(' ').sort()).toEqual([
          'envoy',
          'nginx:1.27',
        ]);
        await k(
          'patch deployment patched --type merge -p {"spec":{"template":{"spec":{"containers":[{"name":"web","image":"one"}]}}}}',
        );
        expect(await k(`get deployment patched ${image}`)).toBe('one');
        await k(
          'patch deployment patched --type json -p [{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"two"}]',
        );
        expect(await k(`get deployment patched ${image}`)).toBe('two');
        expect(await k('label deployment patched x=y')).toBe('deployment.apps/patched labeled\n');
        const again = await kubectl.run(['-n', ns, 'label', 'deployment', 'patched', 'x=z']);
        expect(again.stderr).toContain('already has a value (y), and --overwrite is false');
        expect(await k('label deployment patched x-')).toBe('deployment.apps/patched unlabeled\n');
        expect(await k('annotate deployment patched note=here')).toBe('deployment.apps/patched annotated\n');
        expect(await k('get deployment patched -o jsonpath={.metadata.annotations.note}')).toBe('here');
      });

      kubectlControllersSuite({
        get kubectl() {
          return kubectl;
        },
        get ns() {
          return ns;
        },
        server,
        k,
      });

      test('explain', async () => {
        const text = await k('explain deployment.spec.replicas');
        expect(text).toMatch(/GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n\nFIELD: replicas <integer>/);
        expect(await k('explain pod.spec.containers')).toMatch(/image\t<string>/);
        expect((await kubectl.run(['explain', 'pod.spec.nothing'])).stderr).toContain(
          'field "nothing" does not exist',
        );
      });

      test('a CRD and its objects', async () => {
        const group = `${ns}.example.com`;
        await k('create -f -', {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: {name: `boxes.${group}`},
          spec: {
            group,
            scope: 'Namespaced',
            names: {plural: 'boxes', singular: 'box', kind: 'Box', shortNames: ['bx']},
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                subresources: {status: {}},
                additionalPrinterColumns: [{name: 'Width', type: 'integer', jsonPath: '.spec.width'}],
                schema: {
                  openAPIV3Schema: {
                    type: 'object',
                    properties: {
                      spec: {
                        type: 'object',
                        required: ['width'],
                        properties: {width: {type: 'integer', description: 'How wide it is.', maximum: 9}},
                      },
                    },
                  },
                },
              },
            ],
          },
        });
        await k(`wait --for=condition=Established crd/boxes.${group} --timeout=20s`);
        const box = (width: number) => ({
          apiVersion: `${group}/v1`,
          kind: 'Box',
          metadata: {name: 'b'},
          spec: {width},
        });
        await eventually(
          'the box',
          async () => (await kubectl.run(['-n', ns, 'create', '-f', '-'], box(3))).code === 0,
          {every: 200, limit: 20_000},
        );
        expect(await k('get bx')).toMatch(/^NAME +WIDTH\nb +3\n$/);
        expect(await k('apply --server-side --force-conflicts -f -', box(4))).toBe(
          `box.${group}/b serverside-applied\n`,
        );
        const wide = await kubectl.run(
          ['-n', ns, 'apply', '--server-side', '--force-conflicts', '-f', '-'],
          box(10),
        );
        expect(wide.stderr).toContain('spec.width in body should be less than or equal to 9');
        expect(await k(`explain box.spec.width --api-version=${group}/v1`)).toContain('How wide it is.');
        expect(await k(`delete crd boxes.${group}`)).toMatch(/deleted/);
      });

      test('auth can-i', async () => {
        expect(await k('auth can-i create deployments')).toBe('yes\n');
        const {userToken} = server();
        if (!userToken) throw new Error('this server has no user without rights');
        const no = await kubectl.run(['--token', userToken, '-n', ns, 'auth', 'can-i', 'list', 'pods']);
        expect(no).toMatchObject({code: 1, stdout: 'no\n'});
        const denied = await kubectl.run(['--token', userToken, '-n', ns, 'get', 'pods']);
        expect(denied.stderr).toMatch(
          /Error from server \(Forbidden\): pods is forbidden: User ".*" cannot list resource "pods"/,
        );
      });
    });
  };
}
