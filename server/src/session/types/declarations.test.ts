// TypeScript itself compiles the declarations: a correct formula has no error, a wrong one has the expected error.
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseGroupName} from '@krtscope/shared/groups/group-name.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import {recipes} from '@krtscope/shared/recipes/recipes.ts';
import ts from 'typescript';
import {beforeAll, expect, test} from 'vitest';
import type {EngineLink} from '../../engine/link/engine-link.ts';
import type {OpenApi} from '../../kube/openapi/openapi-schema.ts';
import {declareScope} from './declarations.ts';
import {dumpedDocuments} from './openapi-documents.ts';
import {gatewayDocument} from './testing-gateway-document.ts';
import {inferType} from './type-inference.ts';

const source = (name: string, kind: string, group = '', version = 'v1') => ({
  name,
  resource: {
    group,
    version,
    resource: name.toLowerCase(),
    kind,
    namespaced: !/^N(ode|amespace)/.test(name),
  },
});
const shipped = [
  source('Pods', 'Pod'),
  source('Services', 'Service'),
  source('Namespaces', 'Namespace'),
  source('Nodes', 'Node'),
  source('Secrets', 'Secret'),
  source('ConfigMaps', 'ConfigMap'),
  source('Deployments', 'Deployment', 'apps'),
  source('ReplicaSets', 'ReplicaSet', 'apps'),
  source('PodDisruptionBudgets', 'PodDisruptionBudget', 'policy'),
  source('HorizontalPodAutoscalers', 'HorizontalPodAutoscaler', 'autoscaling', 'v2'),
  source('EndpointSlices', 'EndpointSlice', 'discovery.k8s.io'),
  source('NetworkPolicies', 'NetworkPolicy', 'networking.k8s.io'),
];
const widgets = {
  name: 'Widgets',
  resource: {group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget', namespaced: true},
};
const gatewayApi = [
  source('HTTPRoutes', 'HTTPRoute', 'gateway.networking.k8s.io'),
  source('Gateways', 'Gateway', 'gateway.networking.k8s.io'),
];
const collections = [...shipped, ...gatewayApi, widgets, {name: 'Workloads'}, {name: 'a/b'}];
const workloads = [
  {namespace: 'shop', name: 'a', services: ['cart'], labels: {'app.kubernetes.io/name': 'a'}, waypoint: null},
  {namespace: 'shop', name: 'b', services: [], labels: {}, waypoint: 'wp', ip: '10.0.0.1'},
];
const crd: OpenApi = {
  components: {
    schemas: {
      'com.example.v1.Widget': {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            required: ['size'],
            properties: {size: {type: 'integer'}, tint: {type: 'string', enum: ['red', 'blue']}},
          },
        },
        'x-kubernetes-group-version-kind': [{group: 'example.com', version: 'v1', kind: 'Widget'}],
      },
    },
  },
};

const link = {
  ask: async (question: Question) =>
    question.ask === 'graph' ? {collections} : {items: workloads.map(value => ({value}))},
} as unknown as EngineLink;

let scope = '';
beforeAll(async () => {
  const documents: typeof dumpedDocuments = async resource =>
    resource.group === 'example.com'
      ? crd
      : resource.group === 'gateway.networking.k8s.io'
        ? gatewayDocument
        : dumpedDocuments(resource);
  scope = await declareScope(link, documents, [
    ...[...shipped, ...gatewayApi].map(one => one.name),
    'Widgets',
    'Workloads',
    'Pods by spec.nodeName',
    ...recipes.flatMap(({input = ''}) => (parseGroupName(input) === undefined ? [] : [input])),
  ]);
});

const libs = join(fileURLToPath(import.meta.resolve('typescript')), '..');

/** The errors of each formula, by its position in the list. All compile at once, because the library takes a second. */
function errors(formulas: [shape: string, code: string][]): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: [],
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
  };
  const files = new Map(
    formulas.map(([shape, code], at) => [`/${at}.ts`, `const f: ${shape} = ${code};\nexport {};`]),
  );
  files.set('/scope.d.ts', scope);
  const host = ts.createCompilerHost(options);
  const readFromDisk = host.getSourceFile.bind(host);
  host.getDefaultLibLocation = () => libs;
  host.getSourceFile = (name, target) => {
    const own = files.get(name);
    return own === undefined ? readFromDisk(name, target) : ts.createSourceFile(name, own, target);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const found = formulas.map(() => '');
  for (const one of ts.getPreEmitDiagnostics(program)) {
    const at = Number(/\d+/.exec(one.file?.fileName ?? '')?.[0]);
    found[at] += ts.flattenDiagnosticMessageText(one.messageText, ' ');
  }
  return found;
}

test('formulas that are right have no error, each slip has the one it deserves', () => {
  const cases: [input: string, code: string, said: RegExp][] = [
    [
      'Pods',
      `{
        const services = ctx.fetch(Services, namespace(it.metadata.namespace), selectsNonEmpty(it.metadata.labels));
        const headless = ctx.fetch(Services, generic(service => service.spec.clusterIP === 'None'));
        const found = ctx.fetchOne(Services, key('a/b'));
        if (found === undefined) return ctx.discard();
        const ports = services.flatMap(one => one.spec.ports ?? []).map(one => one.port + 1);
        return {key: it.metadata.name, ports, headless: headless.length};
      }`,
      /^$/,
    ],
    ['Pods', 'it.spec.nodName', /nodName.*nodeName/],
    ['Pods', 'it.metadata.labels.app', /possibly 'undefined'/],
    ['Pods', 'ctx.fetch(Servces)', /Servces/],
    ['Pods', 'ctx.fetch(Services).map(one => one.spec.portz)', /portz.*ports/],
    ['Pods', '(it.spec.nodeName = "x")', /read-only/],
    ['Pods', 'ctx.fetch(collection("c/d"))', /not assignable/],
    ['Widgets', '({twice: it.spec.size * 2, namespace: it.metadata.namespace})', /^$/],
    ['Widgets', `it.spec.tint === 'green'`, /no overlap/],
    [
      'Workloads',
      `[it.services.length, it.labels['x'], it.waypoint?.length, it.ip?.length, ctx.fetch(collection('a/b'))]`,
      /^$/,
    ],
    ['Workloads', 'it.ip.length', /possibly 'undefined'/],
    ['Workloads', 'it.waypont', /waypoint/],
    ['Pods by spec.nodeName', '({key: it.key, names: it.objects.map(one => one.metadata.name)})', /^$/],
    ['Pods by spec.nodeName', 'it.objects[0]?.spec.nodName', /nodName.*nodeName/],
  ];
  const found = errors(cases.map(([input, code]) => [`One<Items['${input}']>`, `(ctx, it) => ${code}`]));
  for (const [at, [, code, said]] of cases.entries()) expect(found[at], code).toMatch(said);
});

test('what nobody described is read off the items; names that are data make a map', () => {
  expect(inferType([])).toBe('any');
  expect(inferType([{a: 1}, {a: null, b: ['x']}])).toBe(
    '{readonly a: number | null; readonly b?: readonly string[]}',
  );
  expect(inferType([{'app/x': 1, c: 2}])).toBe('{readonly [name: string]: number}');
});

test('strict tsc finds no error in any recipe', () => {
  const own = recipes;
  const found = errors(
    own.map(({kind, input, code}) => [
      kind === 'singleton' ? 'Singleton' : `${kind === 'many' ? 'Many' : 'One'}<Items['${input}']>`,
      code,
    ]),
  );
  expect(own.flatMap(({name}, at) => (found[at] === '' ? [] : [[name, found[at]]]))).toEqual([]);
});
