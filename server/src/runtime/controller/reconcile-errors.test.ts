import {createServer} from 'node:net';
import {expect, test} from 'vitest';
import {errorStack, errorText} from '../log/error-text.ts';
import {isPanic} from './reconcile-errors.ts';
import {checkResult} from './reconcile-result.ts';

async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as {port: number};
  await new Promise(resolve => server.close(resolve));
  return port;
}

test('a request that fails is an error, and its text has the cause', async () => {
  const port = await closedPort();
  const error = await failureOf(() => fetch(`http://127.0.0.1:${port}/`));
  expect(error).toBeInstanceOf(TypeError);
  expect(isPanic(error)).toBe(false);
  expect(errorText(error)).toBe(`fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`);
  expect(errorStack(error as Error)).toMatch(
    /^TypeError: fetch failed\n[\s\S]*\[cause\]: Error: connect ECONNREFUSED/,
  );
});

test('an aborted request is an error', async () => {
  expect(isPanic(await failureOf(() => fetch('http://127.0.0.1:1/', {signal: AbortSignal.abort()})))).toBe(
    false,
  );
});

test("an argument that Node's own code refuses is an error", async () => {
  expect(isPanic(await failureOf(() => fetch('no address')))).toBe(false);
});

test("bugs in the program's own code and thrown values are panics", async () => {
  const nothing = undefined as unknown as {field: string};
  expect(isPanic(await failureOf(() => nothing.field))).toBe(true);
  expect(isPanic(await failureOf(() => [1].map(undefined as never)))).toBe(true);
  expect(isPanic('text')).toBe(true);
  expect(isPanic(new Error('foreseen'))).toBe(false);
});

test.each([
  [{requeueAfter: Number.NaN}, 'requeueAfter is NaN; it must be a number of milliseconds of at least 0'],
  [{requeueAfter: '5s'}, 'requeueAfter is "5s"; it must be a number of milliseconds of at least 0'],
  [{requeueAfter: -1}, 'requeueAfter is -1; it must be a number of milliseconds of at least 0'],
  [
    {requeueafter: 5},
    'unknown field requeueafter; a result may have requeueAfter, requeue, priority and error',
  ],
  [{priority: 'high'}, 'priority is "high"; it must be a number'],
  ['done', 'it is "done"; return an object, or nothing'],
])('the result %j is refused with words', (result, reason) => {
  expect(() => checkResult(result)).toThrow(`the result of the reconcile is not valid: ${reason}`);
});

test('valid results pass', () => {
  expect(checkResult(undefined)).toBeUndefined();
  expect(checkResult({requeueAfter: 0, requeue: false})).toEqual({requeueAfter: 0, requeue: false});
  expect(checkResult({error: 'x', priority: 3})).toEqual({error: 'x', priority: 3});
});
