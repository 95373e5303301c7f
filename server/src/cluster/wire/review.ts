// Reviews: objects that are asked, not stored. "May I?", "what may I?", "who am I?".
import {type JsonObject, type KubeObject, mapAt, stringAt} from '../object/types.ts';
import type {Access, User} from './access.ts';
import type {Target} from './route.ts';

/** The answered review, or undefined where the resource is an ordinary one. */
export function review(access: Access, user: User, target: Target, body: KubeObject): KubeObject | undefined {
  switch (target.resource.resource) {
    case 'selfsubjectaccessreviews':
      return {...body, status: access.review(user, body.spec as JsonObject)};
    case 'subjectaccessreviews':
    case 'localsubjectaccessreviews': {
      const groups = (body.spec as JsonObject | undefined)?.groups;
      const asked = {
        name: stringAt(body, 'spec', 'user'),
        groups: Array.isArray(groups) ? (groups as string[]) : [],
      };
      return {...body, status: access.review(asked, body.spec as JsonObject)};
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
