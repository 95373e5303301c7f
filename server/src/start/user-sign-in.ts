// Signs users in by the cluster: TokenReview finds the user, SubjectAccessReview decides. Answers are cached for a minute.
// These two POSTs are the only requests that are not reads, besides --allow-writes.
import {createHash} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {BlockList, isIPv6} from 'node:net';
import type {AccessRefusal, UserSignIn} from '../http/access-control.ts';
import {isApiError} from '../kube/error.ts';

/** The part of a transport that reviews need. */
export interface ReviewTransport {
  request<T>(options: {method: 'POST'; path: string; body: unknown; timeout: number}): Promise<{body: T}>;
}

interface ClusterUser {
  user: string;
  groups: readonly string[];
  uid?: string;
  extra?: Readonly<Record<string, readonly string[]>>;
}

type SignInResult = {user: string} | AccessRefusal;

const CACHE_MS = 60_000;
const MOST_CACHED = 1000;
const TIMEOUT_MS = 5000;
/** The right that lets a user in: `get` on this non-resource URL. */
const RIGHT_PATH = '/krtscope';

const unauthorized = (hint: string): AccessRefusal => ({
  code: 'unauthorized',
  message: 'sign in to see anything',
  hint,
});

const pasteHint =
  'send "Authorization: Bearer <token>" with a token of the cluster, such as from kubectl create token';

export class ClusterReviews {
  readonly #transport: ReviewTransport;
  readonly #now: () => number;
  readonly #verdicts = new Map<string, {until: number; verdict: Promise<SignInResult>}>();

  constructor(transport: ReviewTransport, now: () => number = () => performance.now()) {
    this.#transport = transport;
    this.#now = now;
  }

  /** The user of a bearer token. Only a digest of the token is remembered. */
  ofToken(token: string): Promise<SignInResult> {
    const id = `token ${createHash('sha256').update(token).digest('base64')}`;
    return this.#remember(id, async () => {
      const found = await this.#reviewToken(token);
      return found === undefined ? unauthorized(pasteHint) : this.#reviewAccess(found);
    });
  }

  ofUser(found: ClusterUser): Promise<SignInResult> {
    return this.#remember(`user ${JSON.stringify([found.user, ...found.groups])}`, () =>
      this.#reviewAccess(found),
    );
  }

  async #remember(id: string, review: () => Promise<SignInResult>): Promise<SignInResult> {
    const now = this.#now();
    const cached = this.#verdicts.get(id);
    if (cached !== undefined && cached.until > now) return cached.verdict;
    this.#verdicts.delete(id);
    const verdict = review().catch((error: unknown): AccessRefusal => {
      // A failed review is not an answer: the next request asks again.
      this.#verdicts.delete(id);
      return reviewFailure(error);
    });
    this.#verdicts.set(id, {until: now + CACHE_MS, verdict});
    const oldest = this.#verdicts.keys().next().value;
    if (this.#verdicts.size > MOST_CACHED && oldest !== undefined) this.#verdicts.delete(oldest);
    return verdict;
  }

  async #reviewToken(token: string): Promise<ClusterUser | undefined> {
    const {status} = await this.#post<{status?: {authenticated?: boolean; user?: ReviewedUser}}>(
      '/apis/authentication.k8s.io/v1/tokenreviews',
      {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: {token}},
    );
    const {username, groups = [], uid, extra} = status?.user ?? {};
    if (status?.authenticated !== true || !username) return undefined;
    return {user: username, groups, ...(uid ? {uid} : {}), ...(extra ? {extra} : {})};
  }

  async #reviewAccess({user, groups, uid, extra}: ClusterUser): Promise<SignInResult> {
    const {status} = await this.#post<{status?: {allowed?: boolean}}>(
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {user, groups, uid, extra, nonResourceAttributes: {path: RIGHT_PATH, verb: 'get'}},
      },
    );
    if (status?.allowed === true) return {user};
    return {
      code: 'forbidden',
      message: `${user} may not use this krtscope`,
      hint: `an administrator grants the verb get on the non-resource URL ${RIGHT_PATH} (docs/in-cluster.md)`,
    };
  }

  async #post<T>(path: string, body: unknown): Promise<T> {
    return (await this.#transport.request<T>({method: 'POST', path, body, timeout: TIMEOUT_MS})).body;
  }
}

interface ReviewedUser {
  username?: string;
  groups?: string[];
  uid?: string;
  extra?: Record<string, string[]>;
}

function reviewFailure(error: unknown): AccessRefusal {
  const isRefused = isApiError(error, 401, 403);
  return {
    code: 'cluster-unreachable',
    message: isRefused
      ? 'krtscope may not create tokenreviews and subjectaccessreviews, so no user can sign in'
      : 'the cluster does not answer, so no user can sign in',
    hint: isRefused
      ? 'bind its ServiceAccount to the ClusterRole system:auth-delegator'
      : 'try again when it answers',
  };
}

/** --auth kubernetes: bearer tokens of the cluster. */
export const signInByToken = (reviews: ClusterReviews): UserSignIn => ({
  async signIn(_req, tokens) {
    let refusal: AccessRefusal = unauthorized(pasteHint);
    for (const token of new Set(tokens)) {
      const verdict = await reviews.ofToken(token);
      if ('user' in verdict) return verdict;
      refusal = verdict;
    }
    return refusal;
  },
});

/** --auth proxy: the user that a trusted proxy names. */
export function signInByProxy(reviews: ClusterReviews, networks: readonly string[]): UserSignIn {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    trusted.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return {
    async signIn(req) {
      const address = (req.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
      const isTrusted = address !== '' && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
      const user = headerText(req, 'x-forwarded-user');
      if (!isTrusted || user === '')
        return unauthorized(
          'open krtscope through its proxy, which must send X-Forwarded-User (--trusted-proxy)',
        );
      const groups = headerText(req, 'x-forwarded-groups')
        .split(',')
        .map(group => group.trim())
        .filter(group => group !== '');
      return reviews.ofUser({user, groups});
    },
  };
}

function headerText(req: IncomingMessage, name: string): string {
  const value = req.headers[name];
  // A header that came twice may be a client's own beside the proxy's.
  return typeof value === 'string' ? value.trim() : '';
}
