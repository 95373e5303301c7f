// The body of a request in the shape of its schema.
import type {Request} from 'express';
import type {z} from 'zod';
import {HttpFailure} from './failure.ts';

/** Code that walks an object uses the stack. */
const MAX_DEPTH = 500;

/** Walks by levels instead of recursion. */
function isTooDeep(body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const value of level)
      if (typeof value === 'object' && value !== null)
        for (const inside of Object.values(value)) next.push(inside);
    level = next;
  }
  return false;
}

/** Throws HttpFailure that names the first wrong field. */
export function parseRequestBody<T>(schema: z.ZodType<T>, req: Request): T {
  if (isTooDeep(req.body))
    throw new HttpFailure(
      'bad-query',
      `the body is nested more than ${MAX_DEPTH} levels deep`,
      'no object of Kubernetes is nested so deep',
    );
  const read = schema.safeParse(req.body ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new HttpFailure(
    'bad-query',
    `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'cannot be read'}`,
    'docs/api.md has the fields of the body',
  );
}
