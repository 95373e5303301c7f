// The body of a request in the shape of its schema.
import type {Request} from 'express';
import type {z} from 'zod';
import {HttpFailure} from './failure.ts';

/** Throws HttpFailure that names the first wrong field. */
export function parseRequestBody<T>(schema: z.ZodType<T>, req: Request): T {
  const read = schema.safeParse(req.body ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new HttpFailure(
    'bad-query',
    `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'cannot be read'}`,
    'docs/api.md has the fields of the body',
  );
}
