// Serves a document that a real istiod wrote, from ../shared/istio/krtz (or $KRTSCOPE_SHARED).
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gunzipSync} from 'node:zlib';

const shared = process.env.KRTSCOPE_SHARED ?? fileURLToPath(new URL('../../../../shared', import.meta.url));

export async function serveIstiodDocument(): Promise<{address: string; close(): void}> {
  const document = gunzipSync(readFileSync(join(shared, 'istio/krtz/shop.json.gz')));
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(document);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/debug/krtz`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
