// Lets a request read the metrics if its bearer token belongs to a user who may `get` the path, as the API server says.

import type {IncomingMessage} from 'node:http';
import {isRecord} from '../../kube/object.ts';
import type {Wire} from '../../kube/transport/transport.ts';

/** An HTTP status: 200 allows the request. */
type AccessCode = 200 | 401 | 403;

/** Milliseconds that a decision holds. */
const keepAllowed = 60_000;
const keepRefused = 10_000;
/** The most decisions to keep. */
const mostDecisions = 1000;

export class MetricsAccess {
  readonly #wire: Wire;
  readonly #decisions = new Map<string, {code: AccessCode; until: number}>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  async check(request: IncomingMessage, path: string): Promise<AccessCode> {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return 401;
    const id = `${path} ${token}`;
    const now = this.#wire.clock.now();
    const known = this.#decisions.get(id);
    if (known && known.until > now) return known.code;
    const code = await this.#ask(token, path);
    this.#decisions.delete(id);
    this.#decisions.set(id, {code, until: now + (code === 200 ? keepAllowed : keepRefused)});
    if (this.#decisions.size > mostDecisions)
      this.#decisions.delete(this.#decisions.keys().next().value ?? '');
    return code;
  }

  async #ask(token: string, path: string): Promise<AccessCode> {
    const review = await this.#review('authentication.k8s.io', 'TokenReview', {token});
    const user = isRecord(review.user) ? review.user : undefined;
    if (review.authenticated !== true || typeof user?.username !== 'string') return 401;
    const {allowed} = await this.#review('authorization.k8s.io', 'SubjectAccessReview', {
      user: user.username,
      uid: user.uid,
      groups: user.groups,
      extra: user.extra,
      nonResourceAttributes: {path, verb: 'get'},
    });
    return allowed === true ? 200 : 403;
  }

  async #review(group: string, kind: string, spec: object): Promise<Record<string, unknown>> {
    const {body} = await this.#wire.request({
      method: 'POST',
      path: `/apis/${group}/v1/${kind.toLowerCase()}s`,
      body: {apiVersion: `${group}/v1`, kind, metadata: {}, spec},
    });
    return isRecord(body) && isRecord(body.status) ? body.status : {};
  }
}
