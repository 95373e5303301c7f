// The body of a request in the shape of its schema.
import {isTooDeep, MAX_DEPTH} from '@krtscope/shared/json/depth.ts';
import type {Request} from 'express';
import type {z} from 'zod';
import {HttpFailure} from './failure.ts';

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
