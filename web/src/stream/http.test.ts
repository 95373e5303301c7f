import {afterEach, expect, test, vi} from 'vitest';
import {apiPath, RequestError, request} from './http.ts';

afterEach(() => vi.unstubAllGlobals());

test('adds what the page knows without overriding what the path says', () => {
  expect(apiPath('/why/Pods/a%2Fb', {session: 'demo', at: null})).toBe('/api/v1/why/Pods/a%2Fb?session=demo');
  expect(apiPath('/graph?at=3', {at: 9})).toBe('/api/v1/graph?at=3');
});

test('a refusal carries the server’s own words; nobody answering has words too', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({code: 'rolled-off', message: 'm', hint: 'h', nearest: 4}, {status: 410}),
  );
  await expect(request('/x')).rejects.toMatchObject({status: 410, failure: {code: 'rolled-off', nearest: 4}});
  vi.stubGlobal('fetch', async () => new Response('<html>', {status: 502}));
  await expect(request('/x')).rejects.toMatchObject({
    failure: {code: 'internal', message: 'The server answered 502.'},
  });
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('failed to fetch');
  });
  await expect(request('/x')).rejects.toBeInstanceOf(RequestError);
});

/** A body that ends half way with this. */
const broken = (error: Error) =>
  new Response(
    new ReadableStream({
      start: control => {
        control.enqueue(new TextEncoder().encode('{"runs": ['));
        control.error(error);
      },
    }),
  );

test('an answer that breaks off is none, and one that nobody waits for any more says so', async () => {
  vi.stubGlobal('fetch', async () => broken(new TypeError('network error')));
  await expect(request('/x')).rejects.toMatchObject({failure: {code: 'no-answer'}});
  vi.stubGlobal('fetch', async () => broken(new DOMException('aborted', 'AbortError')));
  await expect(request('/x')).rejects.toMatchObject({name: 'AbortError'});
});
