// The query parameters of each path under /api/v1. Unknown parameters are refused, because a typo would
// answer a different question.
import {facetsOf, queryPartsOf, questionNames} from '@krtscope/shared/questions.ts';
import type {NextFunction, Request, Response} from 'express';
import {HttpFailure} from './failure.ts';

/** Parameters of the paths that are not questions, as [path, parameters]. Other paths have none. */
const otherPaths: readonly (readonly [string, readonly string[]])[] = [
  ['/graph.mmd', ['at']],
  ['/graph.dot', ['at']],
  ['/formulas', ['at']],
  ['/types', ['collections']],
  ['/sessions', ['name']],
  ['/recording', ['from', 'to']],
];

/** Accepted everywhere. An access token may still be in the query after it was checked. */
const commonParameters = ['session', 'token'];

const patterns = [
  ...questionNames.flatMap(name => {
    const {path} = facetsOf(name);
    return path === undefined ? [] : [[patternOf(path), queryPartsOf(name)] as const];
  }),
  ...otherPaths.map(([path, names]) => [patternOf(path), names] as const),
];

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`);
}

export function refuseUnknownParameters(req: Request, _res: Response, next: NextFunction): void {
  const taken = patterns.find(([pattern]) => pattern.test(req.path))?.[1] ?? [];
  const unknown = Object.keys(req.query).find(
    name => !taken.includes(name) && !commonParameters.includes(name),
  );
  if (unknown === undefined) return next();
  next(
    new HttpFailure(
      'bad-query',
      `${req.baseUrl}${req.path} does not take "${unknown}"`,
      taken.length === 0 ? 'it takes only session' : `it takes ${[...taken, 'session'].join(', ')}`,
    ),
  );
}
