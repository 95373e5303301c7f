// An npm registry on 127.0.0.1 that has what a test published to it, and nothing else.
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

/** The document of npm publish: manifests by version, and tarballs in base64. */
export interface PublishedPackage {
  name: string;
  'dist-tags': Record<string, string>;
  versions: Record<string, Record<string, unknown> & {dist: {tarball: string}}>;
  _attachments?: Record<string, {data: string}>;
}

export interface TestRegistry {
  url: string;
  packages: Map<string, PublishedPackage>;
  stop(): Promise<void>;
}

export async function startRegistry(): Promise<TestRegistry> {
  const packages = new Map<string, PublishedPackage>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [name = '', dash, file] = decodeURIComponent((request.url ?? '/').slice(1)).split('/');
    const answer = (code: number, body: unknown) => {
      response.writeHead(code, {'content-type': 'application/json'}).end(JSON.stringify(body));
    };
    if (request.method === 'PUT') {
      packages.set(name, JSON.parse(Buffer.concat(chunks).toString('utf8')) as PublishedPackage);
      return answer(201, {ok: true});
    }
    const known = packages.get(name);
    if (known === undefined) return answer(404, {error: 'not_found'});
    if (dash === '-') {
      const data = known._attachments?.[file ?? '']?.data;
      return void response.writeHead(200).end(Buffer.from(data ?? '', 'base64'));
    }
    const {_attachments, ...packument} = known;
    return answer(200, packument);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    packages,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
