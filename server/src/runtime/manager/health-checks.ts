// Named health checks, and the responses to probes.

import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Logger} from '../log/logger.ts';

/** Healthy unless it throws or rejects. */
export type HealthCheck = (request: IncomingMessage) => void | Promise<void>;

/** Always healthy. */
export const ping: HealthCheck = () => {};

interface HealthCheckOutcome {
  name: string;
  state: 'ok' | 'excluded' | 'failed';
}

export class HealthChecks {
  readonly #checks = new Map<string, HealthCheck>();

  get size(): number {
    return this.#checks.size;
  }

  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** `below` is the rest of the path: empty for all checks, or the name of one check. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    below: string,
    query: URLSearchParams,
    log: Logger,
  ): Promise<void> {
    if (below === '') return this.#all(request, response, query, log);
    const check = this.#checks.get(below);
    if (!check) return write(response, 404, '404 page not found\n');
    try {
      await check(request);
      write(response, 200, 'ok');
    } catch (error) {
      write(response, 500, `internal server error: ${error instanceof Error ? error.message : error}\n`);
    }
  }

  async #all(
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
    log: Logger,
  ): Promise<void> {
    const excluded = new Set(query.getAll('exclude').filter(Boolean));
    const names = [...this.#checks.keys()].sort();
    const outcomes = await Promise.all(
      names.map(async (name): Promise<HealthCheckOutcome> => {
        if (excluded.delete(name)) return {name, state: 'excluded'};
        try {
          await this.#checks.get(name)?.(request);
          return {name, state: 'ok'};
        } catch (error) {
          log.warn('health check failed', {check: name, error});
          return {name, state: 'failed'};
        }
      }),
    );
    const failed = outcomes.some(({state}) => state === 'failed');
    if (!failed && !query.has('verbose')) return write(response, 200, 'ok');
    const lines = outcomes.map(lineOf);
    if (excluded.size > 0) {
      const unknown = [...excluded].map(name => JSON.stringify(name)).join(',');
      lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown}`);
    }
    lines.push(failed ? 'healthz check failed' : 'healthz check passed');
    write(response, failed ? 500 : 200, `${lines.join('\n')}\n`);
  }
}

function lineOf({name, state}: HealthCheckOutcome): string {
  if (state === 'excluded') return `[+]${name} excluded: ok`;
  // The reason is only in the log, because the endpoint needs no authentication.
  return state === 'ok' ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
}

function write(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}
