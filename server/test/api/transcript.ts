// Runs the written cases on a server and checks each summary. Keeps the masked responses, so that two servers
// can be compared word for word.

import {describe, expect, test} from 'vitest';
import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {isRecord} from '../../src/kube/object.ts';
import {resources} from '../../src/kube/resource.ts';
import type {RequestOptions} from '../../src/kube/transport/transport.ts';
import type {TestServer} from '../servers.ts';
import {type ExchangeResult, exchange, maskValue, summarize} from './exchange.ts';

/**
 * One request. `{ns}` is a namespace of the case, `{group}` an API group of its own. `until=200` in the query
 * repeats the request until the response has that code.
 */
export interface Step {
  ask: `${NonNullable<RequestOptions['method']>} ${string}`;
  body?: unknown;
  type?: string;
  accept?: string;
  /** The summary of the response, as in exchange.ts. */
  expect: string;
  /** Compares only the summary between servers: the rest depends on the machine. */
  loose?: true;
  /** Compares only this field of the body, because controllers write the others at their own time. */
  part?: string;
}

export interface Case {
  name: string;
  steps: Step[];
}

export type Transcript = Map<string, unknown>;

let cases = 0;

export async function play(
  client: DynamicClient,
  one: Case,
): Promise<{answers: ExchangeResult[]; kept: unknown[]}> {
  const namespace = `case-${process.pid}-${cases++}`;
  const group = `${namespace}.example.com`;
  await client.create(resources.Namespaces, {metadata: {name: namespace}});
  const names = new Map([[namespace, '<ns>']]);
  const fill = (text: string) => text.replaceAll('{ns}', namespace).replaceAll('{group}', group);
  const answers: ExchangeResult[] = [];
  try {
    for (const step of one.steps) {
      const [method = 'GET', path = '/'] = fill(step.ask).split(' ');
      const body =
        step.body === undefined || typeof step.body === 'string' ? step.body : JSON.stringify(step.body);
      const request: RequestOptions = {
        method: method as NonNullable<RequestOptions['method']>,
        path: path.replace(/[?&]until=\d+/, ''),
        body: body === undefined ? undefined : fill(body),
        contentType: step.type,
        accept: step.accept,
      };
      const wanted = Number(/until=(\d+)/.exec(path)?.[1]);
      answers.push(wanted ? await untilCode(client, request, wanted) : await exchange(client, request));
    }
  } finally {
    await client.delete(resources.Namespaces, {name: namespace});
  }
  return {answers, kept: answers.map((answer, at) => recordedAnswer(answer, one.steps[at], names))};
}

function recordedAnswer(
  answer: ExchangeResult,
  step: Step | undefined,
  names: ReadonlyMap<string, string>,
): unknown {
  if (step?.loose) return summarize(answer);
  if (step?.part && isRecord(answer.body))
    return [summarize(answer), maskValue(answer.body[step.part], names)];
  return maskValue(answer, names);
}

/** Repeats a request until its response has this code. */
async function untilCode(
  client: DynamicClient,
  request: RequestOptions,
  code: number,
): Promise<ExchangeResult> {
  const end = performance.now() + 10_000;
  for (;;) {
    const answer = await exchange(client, request);
    if (answer.code === code || performance.now() > end) return answer;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}

/** One test per case. Fills `transcript` for a later comparison. */
export function transcriptSuite(
  server: () => TestServer,
  groups: Record<string, Case[]>,
  transcript: Transcript,
): void {
  for (const [title, list] of Object.entries(groups)) {
    describe(title, () => {
      test.each(list.map(one => [one.name, one] as const))('%s', async (name, one) => {
        const {answers, kept} = await play(server().client, one);
        transcript.set(`${title}: ${name}`, kept);
        expect(answers.map(summarize)).toEqual(one.steps.map(step => step.expect));
      });
    });
  }
}
