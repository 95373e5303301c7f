// Go checks what "copy as Go" gives: every example's skeleton is formatted like gofmt and passes go vet. It uses krt's
// signatures of istio.io/istio v0.0.0-20260827124520-eed52ebb66ad, so that it needs no network.
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import {recipes} from '@krtscope/shared/recipes/recipes.ts';
import {expect, test} from 'vitest';
import type {Draft} from '../draft/drafts.ts';
import type {FetchSite} from '../types/protocol.ts';
import {goSkeleton} from './go-skeleton.ts';

const krt = `package krt

type Collection[T any] interface{ List() []T }
type Singleton[T any] interface{ Get() *T }
type Index[K comparable, O any] interface{ Lookup(k K) []O }
type IndexObject[K comparable, O any] struct {
	Key     K
	Objects []O
}
type HandlerContext interface{ DiscardResult() }
type Namespacer interface{ GetNamespace() string }
type FetchOption func(*int)
type CollectionOption func(*int)
type OptionsBuilder struct{}

func (OptionsBuilder) WithName(n string) []CollectionOption { return nil }

func NewCollection[I, O any](c Collection[I], hf func(HandlerContext, I) *O, opts ...CollectionOption) Collection[O] { return nil }
func NewManyCollection[I, O any](c Collection[I], hf func(HandlerContext, I) []O, opts ...CollectionOption) Collection[O] { return nil }
func NewSingleton[O any](hf func(HandlerContext) *O, opts ...CollectionOption) Singleton[O] { return nil }
func NewNamespaceIndex[O Namespacer](c Collection[O]) Index[string, O] { return nil }
func Fetch[T any](ctx HandlerContext, c Collection[T], opts ...FetchOption) []T { return nil }
func FetchOne[T any](ctx HandlerContext, c Collection[T], opts ...FetchOption) *T { return nil }
func FilterKey(k string) FetchOption { return nil }
func FilterIndex[K comparable, I any](idx Index[K, I], k K) FetchOption { return nil }
func FilterLabel(l map[string]string) FetchOption { return nil }
func FilterSelects(l map[string]string) FetchOption { return nil }
func FilterSelectsNonEmpty(l map[string]string) FetchOption { return nil }
func FilterGeneric(f func(any) bool) FetchOption { return nil }
`;

/** Packages that skeletons import, with their kinds. */
const packages: Record<string, string[]> = {
  'k8s.io/api/core/v1': 'Pod Service Node Namespace Secret ConfigMap ServiceAccount'.split(' '),
  'k8s.io/api/apps/v1': ['Deployment', 'ReplicaSet'],
  'k8s.io/api/discovery/v1': ['EndpointSlice'],
  'k8s.io/api/networking/v1': ['NetworkPolicy', 'Ingress'],
  'sigs.k8s.io/gateway-api/apis/v1': ['Gateway', 'HTTPRoute'],
};
const groups: Record<string, string> = {
  'k8s.io/api/core/v1': '',
  'k8s.io/api/apps/v1': 'apps',
  'k8s.io/api/discovery/v1': 'discovery.k8s.io',
  'k8s.io/api/networking/v1': 'networking.k8s.io',
  'sigs.k8s.io/gateway-api/apis/v1': 'gateway.networking.k8s.io',
};

const objects = (kinds: readonly string[]) => `package v1

type meta struct {
	Name, Namespace string
	Labels          map[string]string
}

func (m *meta) GetNamespace() string { return m.Namespace }

${kinds.map(kind => `type ${kind} struct{ meta }`).join('\n')}
`;

const plural = (kind: string) =>
  kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : kind.endsWith('s') ? `${kind}es` : `${kind}s`;
const graph = {
  collections: [
    ...Object.entries(packages).flatMap(([path, kinds]) =>
      kinds.map(kind => ({
        name: plural(kind),
        resource: {
          group: groups[path],
          version: 'v1',
          resource: '',
          kind,
          namespaced: kind !== 'Node' && kind !== 'Namespace',
        },
      })),
    ),
    {name: 'Workloads'},
  ],
} as unknown as Graph;

/** Every fetch of a text, from `ctx` to its closing bracket. */
function fetchesIn(code: string): FetchSite[] {
  return [...code.matchAll(/ctx\.fetch(?:One)?\((\w+)/g)].map(found => {
    let to = code.indexOf('(', found.index) + 1;
    for (let open = 1; open > 0; to++) open += code[to] === '(' ? 1 : code[to] === ')' ? -1 : 0;
    return {from: found.index, to, line: 1, collection: found[1]!};
  });
}

const own = {name: 'Odd', kind: 'one' as const, input: 'Workloads'};
const drafts: Draft[] = [
  ...recipes.map(({title: _, words: __, sources: ___, ...recipe}) => recipe),
  {...own, code: "(ctx, workload) => ctx.fetchOne(Services, key('a/b'))"},
  {
    ...own,
    name: 'workload',
    code: '(ctx, workload) => ctx.fetch(Pods, namespace(workload.namespace), label({app: workload.name}))',
  },
  {
    ...own,
    name: 'Everything',
    code: '(ctx, workload) => ctx.fetch(Workloads, generic(w => true), keys([1, 2]))',
  },
].map(one => ({id: 'a', pins: [], history: [], ...one}));

const hasGo = spawnSync('go', ['version']).status === 0;

test.runIf(hasGo)(
  'every skeleton is Go: gofmt has nothing to change, and go vet nothing to say',
  {timeout: 120_000},
  () => {
    const root = mkdtempSync(join(tmpdir(), 'krtscope-go-'));
    const write = (path: string, text: string) => {
      const file = join(root, 'src', path);
      mkdirSync(dirname(file), {recursive: true});
      writeFileSync(file, text);
      return file;
    };
    try {
      write('istio.io/istio/pkg/kube/krt/krt.go', krt);
      for (const [path, kinds] of Object.entries(packages)) write(`${path}/v1.go`, objects(kinds));
      const sample = {key: 'a', app: 'x', restarts: 2, share: 0.5, nodes: ['a'], by: {a: 1}, none: null};
      const files = drafts.map(draft =>
        write(
          `drafts/${draft.name}/x.go`,
          goSkeleton({draft, graph, fetches: fetchesIn(draft.code), sample}),
        ),
      );
      const env = {
        PATH: process.env.PATH,
        HOME: root,
        GOPATH: root,
        GOCACHE: join(root, 'cache'),
        GO111MODULE: 'off',
        GOTOOLCHAIN: 'local',
        GOFLAGS: '',
      };
      const run = (program: string, ...args: string[]) => {
        const {status, stdout, stderr} = spawnSync(program, args, {
          cwd: join(root, 'src'),
          env,
          encoding: 'utf8',
        });
        return {status, said: `${stdout}${stderr}`};
      };
      expect(run('gofmt', '-l', '-e', ...files)).toEqual({status: 0, said: ''});
      expect(run('go', 'vet', './drafts/...')).toEqual({status: 0, said: ''});
    } finally {
      rmSync(root, {recursive: true, force: true});
    }
  },
);
