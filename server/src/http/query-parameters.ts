// What each path under /api/v1 takes in its query. A parameter that a path does not know is refused: a slip in its name
// would give the answer to another question.
import {facetsOf, queryPartsOf, questionNames} from '@krtscope/shared/questions.ts';
import type {NextFunction, Request, Response} from 'express';
import {HttpFailure} from './failure.ts';

/** Of the paths that are no question's, as [path, parameters]; those that are not here take none. */
const otherPaths: readonly (readonly [string, readonly string[]])[] = [
  ['/graph.mmd', ['at']],
  ['/graph.dot', ['at']],
  ['/formulas', ['at']],
  ['/types', ['collections']],
  ['/sessions', ['name']],
];

/** Taken everywhere; a token that has been read already may still stand there. */
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
      `${req.baseUrl}${req.path} takes no "${unknown}"`,
      taken.length === 0 ? 'it takes session alone' : `it takes ${[...taken, 'session'].join(', ')}`,
    ),
  );
}
