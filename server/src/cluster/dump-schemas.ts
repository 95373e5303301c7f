// Dumps discovery and OpenAPI v3 of a real API server into schemas/, one brotli file per group version. Run
// it by hand when the Kubernetes version changes: node server/src/cluster/dump-schemas.ts URL TOKEN
import {writeFileSync} from 'node:fs';
import {request} from 'node:https';
import {brotliCompressSync, constants} from 'node:zlib';

/** The group versions the embedded cluster serves, in discovery order. */
const GROUP_VERSIONS = [
  'v1',
  'apps/v1',
  'events.k8s.io/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'autoscaling/v2',
  'batch/v1',
  'networking.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'storage.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
];
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface DiscoveredVersion {
  version: string;
  resources: {resource: string}[];
}
interface DiscoveredGroup {
  metadata: {name?: string};
  versions: DiscoveredVersion[];
}

function get(url: string, token: string, accept: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {authorization: `Bearer ${token}`, accept};
    // The test control plane signs its own certificate, and this script reads nothing secret.
    const req = request(url, {headers, rejectUnauthorized: false}, res => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', chunk => {
        text += chunk;
      });
      res.on('end', () => (res.statusCode === 200 ? resolve(text) : reject(new Error(`${url}: ${text}`))));
    });
    req.on('error', reject).end();
  });
}

function write(name: string, text: string): void {
  const params = {[constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24};
  const packed = brotliCompressSync(Buffer.from(text), {params});
  writeFileSync(new URL(`./schemas/${name}.json.br`, import.meta.url), packed);
  process.stderr.write(`${name}: ${text.length} characters in ${packed.length} bytes\n`);
}

async function main(): Promise<void> {
  const [server, token] = process.argv.slice(2);
  if (!server || !token) throw new Error('usage: node dump-schemas.ts https://host:port TOKEN');
  const version = JSON.parse(await get(`${server}/version`, token, 'application/json')) as object;
  const groups: unknown[] = [];
  const lists = await Promise.all(['api', 'apis'].map(root => get(`${server}/${root}`, token, AGGREGATED)));
  const all = lists.flatMap(text => (JSON.parse(text) as {items: DiscoveredGroup[]}).items);
  for (const groupVersion of GROUP_VERSIONS) {
    const [group, v] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
    const found = all.find(g => (g.metadata.name ?? '') === group);
    const served = found?.versions.find(x => x.version === v);
    if (!served) throw new Error(`${groupVersion} is not served by ${server}`);
    groups.push({group, version: v, resources: served.resources});
    const path = group === '' ? `api/${v}` : `apis/${group}/${v}`;
    write(
      groupVersion.replace('/', '_'),
      await get(`${server}/openapi/v3/${path}`, token, 'application/json'),
    );
  }
  write('discovery', JSON.stringify({version, groups}));
}

await main();
