// npm run copies:go: vets "copy as Go" of every recipe against the real module istio.io/istio/pkg/kube/krt. The first
// run downloads and builds the module, which takes minutes; later runs use Go's caches.
import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import ts from 'typescript';
import {goSkeleton} from '../../../web/src/lab/export/go-skeleton.ts';
import {findFetchSites} from '../../../web/src/lab/types/formula-analysis.ts';
import {graph, recipeDrafts} from './formulas.ts';

/** The proxy does not have every commit that Istio names, so the nearest version of each stands in. */
const manifest = `module copies

go 1.26

require istio.io/istio v0.0.0-20260827124520-eed52ebb66ad

replace (
	github.com/envoyproxy/go-control-plane/contrib => github.com/envoyproxy/go-control-plane/contrib v1.36.1-0.20260729145720-a2d8c7492908
	github.com/envoyproxy/go-control-plane/envoy => github.com/envoyproxy/go-control-plane/envoy v1.37.1-0.20260729145720-a2d8c7492908
	istio.io/api => istio.io/api v1.31.1
	istio.io/client-go => istio.io/client-go v1.31.1
)
`;

const folder = fileURLToPath(new URL('../../../node_modules/.cache/copies-go/', import.meta.url));

function run(command: string, ...args: string[]): string {
  const {status, stdout, stderr} = spawnSync(command, args, {cwd: folder, encoding: 'utf8'});
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

if (spawnSync('go', ['version']).status !== 0) {
  console.error('copies:go needs Go 1.26 or later in PATH; it is not there, so nothing was checked.');
  process.exit(2);
}
rmSync(folder, {recursive: true, force: true});
const files = recipeDrafts.map(draft => {
  const source = ts.createSourceFile('formula.ts', draft.code, ts.ScriptTarget.ESNext, true);
  const text = goSkeleton({draft, graph, fetches: findFetchSites(source, 0), sample: {key: 'a', count: 1}});
  const path = join(folder, draft.name.toLowerCase());
  mkdirSync(path, {recursive: true});
  writeFileSync(join(path, 'copy.go'), text);
  return join(path, 'copy.go');
});
writeFileSync(join(folder, 'go.mod'), manifest);
const unformatted = run('gofmt', '-l', ...files);
if (unformatted !== '') throw new Error(`gofmt would change:\n${unformatted}`);
run('go', 'mod', 'tidy');
run('go', 'vet', './...');
console.log(`go vet has nothing to say about the copies of ${files.length} recipes.`);
