// Reviews: access, rules and self reviews are answered and not stored.
import {isObject, type JsonObject, mapAt, type StoredObject, stringAt} from '../../object/stored-object.ts';
import type {RbacAccess, User} from '../rbac-access.ts';
import {invalid, invalidValue} from '../responses/invalid-errors.ts';
import type {RequestTarget} from '../route.ts';

function checkAttributes(target: RequestTarget, body: StoredObject): void {
  const spec = isObject(body.spec) ? body.spec : {};
  if ((spec.resourceAttributes === undefined) !== (spec.nonResourceAttributes === undefined)) return;
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  throw invalid({...target.resource, kind: ''}, '', [
    invalidValue('spec.resourceAttributes', spec.resourceAttributes ?? null, why),
  ]);
}

/** The answered review; undefined for other resources. */
export function answerReview(
  access: RbacAccess,
  user: User,
  target: RequestTarget,
  body: StoredObject,
): StoredObject | undefined {
  if (target.resource.resource.endsWith('subjectaccessreviews')) checkAttributes(target, body);
  switch (target.resource.resource) {
    case 'selfsubjectaccessreviews':
      return {...body, status: access.review(user, body.spec as JsonObject)};
    case 'subjectaccessreviews':
    case 'localsubjectaccessreviews': {
      const groups = (body.spec as JsonObject | undefined)?.groups;
      const subject = {
        name: stringAt(body, 'spec', 'user'),
        groups: Array.isArray(groups) ? (groups as string[]) : [],
      };
      return {...body, status: access.review(subject, body.spec as JsonObject)};
    }
    case 'selfsubjectrulesreviews':
      return {...body, status: access.rules(user, stringAt(body, 'spec', 'namespace'))};
    case 'selfsubjectreviews':
      return {...body, status: {userInfo: {username: user.name, groups: user.groups}}};
    case 'tokenreviews': {
      const found = access.userOf(mapAt(body, 'spec').token ?? '');
      const status = found
        ? {authenticated: true, user: {username: found.name, groups: found.groups}}
        : {user: {}, error: 'invalid bearer token'};
      return {...body, status};
    }
    default:
      return undefined;
  }
}
