// For tests: an HTTPS client of a running cluster, and waiting for a condition.
import {request} from 'node:https';
import type {JsonObject} from './object/stored-object.ts';

interface TestHttpsResponse {
  code: number;
  body: JsonObject;
  warning: string | undefined;
}

export class TestHttpsClient {
  readonly #url: string;
  readonly #ca: string;
  readonly #token: string;

  constructor(cluster: {url: string; ca: string; token: string}, token = cluster.token) {
    this.#url = cluster.url;
    this.#ca = cluster.ca;
    this.#token = token;
  }

  get(path: string): Promise<TestHttpsResponse> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown): Promise<TestHttpsResponse> {
    return this.send('POST', path, JSON.stringify(body), 'application/json');
  }

  patch(path: string, body: unknown): Promise<TestHttpsResponse> {
    return this.send('PATCH', path, JSON.stringify(body), 'application/merge-patch+json');
  }

  delete(path: string): Promise<TestHttpsResponse> {
    return this.send('DELETE', path);
  }

  send(method: string, path: string, body?: string, contentType?: string): Promise<TestHttpsResponse> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(contentType && {'content-type': contentType}),
    };
    return new Promise((resolve, reject) => {
      const req = request(this.#url + path, {method, headers, ca: this.#ca, agent: false}, res => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', chunk => {
          text += chunk;
        });
        res.on('end', () =>
          resolve({
            code: res.statusCode ?? 0,
            body: parseBody(text),
            warning: res.headers.warning as string | undefined,
          }),
        );
      });
      req.on('error', reject);
      req.end(body);
    });
  }
}

function parseBody(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {text};
  }
}

/** Retries until the check passes, and then throws its last error. */
export async function eventually(check: () => Promise<void>, milliseconds = 20_000): Promise<void> {
  const end = Date.now() + milliseconds;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}
