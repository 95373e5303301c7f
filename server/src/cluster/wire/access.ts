// Who is asking and what they may do: the owner's token may do everything, the plain user's token nothing
// until RBAC objects say so.
import type {IncomingMessage} from 'node:http';
import type {Resource} from '../kinds/resource.ts';
import {StatusError} from './status.ts';

export interface User {
  name: string;
  groups: string[];
}

export interface Attributes {
  verb: string;
  resource: Resource;
  subresource: string;
  namespace: string;
  name: string;
}

export interface Access {
  authenticate(request: IncomingMessage): User;
  authorize(user: User, attributes: Attributes): void;
  authorizePath(user: User, path: string, method: string): void;
}

export function tokenAccess(token: string): Access {
  return {
    authenticate(request) {
      if (request.headers.authorization === `Bearer ${token}`)
        return {name: 'krtscope-demo', groups: ['system:masters', 'system:authenticated']};
      throw new StatusError(401, 'Unauthorized', 'Unauthorized');
    },
    authorize() {},
    authorizePath() {},
  };
}
