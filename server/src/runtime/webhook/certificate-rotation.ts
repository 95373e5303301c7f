// Certificates of the webhook server, made and renewed by the manager. A Secret shares them between replicas.

import {X509Certificate} from 'node:crypto';
import type {Client} from '../client/client.ts';
import {ignoreNotFound, isAlreadyExists, isConflict, isForbidden} from '../client/error-checks.ts';
import type {Logger} from '../log/logger.ts';
import {Secret} from '../scheme/built-in-kinds.ts';
import type {ObjectKey} from '../scheme/kind.ts';
import {selfSignedIdentity} from './identity.ts';

export interface ServingCertificate {
  cert: string;
  key: string;
  /** All certificates that the API server must trust: this one, and the one before until it expires. */
  ca: string;
}

export interface CertificateOptions {
  /** The names and addresses in the certificate. */
  hosts: readonly string[];
  /** Shared by all replicas. Absent: each process has its own certificate, which is enough for one replica. */
  secret?: ObjectKey | undefined;
  /** Milliseconds before the end at which a new one is made. Default: 30 days. */
  renewBefore?: number | undefined;
}

interface CertificateDependencies {
  client: Client;
  log: Logger;
}

const DAY = 86_400_000;
/** Milliseconds between looks at the Secret and the clock. */
export const checkEvery = 60_000;

export class CertificateRotation {
  readonly #options: CertificateOptions;
  readonly #client: Client;
  readonly #log: Logger;
  #secret: ObjectKey | undefined;
  #current: ServingCertificate | undefined;

  constructor(options: CertificateOptions, {client, log}: CertificateDependencies) {
    this.#options = options;
    this.#client = client;
    this.#log = log;
    this.#secret = options.secret;
  }

  /** The certificate to use now: the shared one, or a new one if there is none or it ends soon. */
  async certificate(now: number = Date.now()): Promise<ServingCertificate> {
    const shared = await this.#shared();
    const known = shared?.certificate ?? this.#current;
    this.#current =
      known && this.#isFresh(known, now) ? known : await this.#renew(known, shared?.version, now);
    return this.#current;
  }

  #isFresh({cert}: ServingCertificate, now: number): boolean {
    return Date.parse(new X509Certificate(cert).validTo) - now > (this.#options.renewBefore ?? 30 * DAY);
  }

  async #renew(
    old: ServingCertificate | undefined,
    version: string | undefined,
    now: number,
  ): Promise<ServingCertificate> {
    const made = await selfSignedIdentity(this.#options.hosts);
    // Other replicas serve the old certificate until they see the new one.
    const trusted = old && Date.parse(new X509Certificate(old.cert).validTo) > now ? old.cert : '';
    const certificate = {cert: made.cert, key: made.key, ca: made.cert + trusted};
    this.#log.info('made a webhook certificate', {hosts: this.#options.hosts});
    return (await this.#share(certificate, version)) ?? certificate;
  }

  async #shared(): Promise<{certificate: ServingCertificate; version: string | undefined} | undefined> {
    if (!this.#secret) return undefined;
    try {
      const found = await ignoreNotFound(this.#client.apiReader.get(Secret, this.#secret));
      const {'tls.crt': cert, 'tls.key': key, 'ca.crt': ca} = found?.data ?? {};
      if (!cert || !key || !ca) return undefined;
      const text = (encoded: string) => Buffer.from(encoded, 'base64').toString();
      return {
        certificate: {cert: text(cert), key: text(key), ca: text(ca)},
        version: found?.metadata.resourceVersion,
      };
    } catch (error) {
      this.#giveUp(error);
      return undefined;
    }
  }

  /** Returns the certificate of another replica that was faster. */
  async #share(
    {cert, key, ca}: ServingCertificate,
    version: string | undefined,
  ): Promise<ServingCertificate | undefined> {
    if (!this.#secret) return undefined;
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const secret = {
      apiVersion: 'v1' as const,
      kind: 'Secret' as const,
      metadata: {...this.#secret, ...(version && {resourceVersion: version})},
      type: 'kubernetes.io/tls',
      data: {'tls.crt': encode(cert), 'tls.key': encode(key), 'ca.crt': encode(ca)},
    };
    try {
      await (version ? this.#client.update(secret) : this.#client.create(secret));
      return undefined;
    } catch (error) {
      if (isAlreadyExists(error) || isConflict(error)) return (await this.#shared())?.certificate;
      this.#giveUp(error);
      return undefined;
    }
  }

  #giveUp(error: unknown): void {
    if (!isForbidden(error)) throw error;
    const {namespace, name} = this.#secret!;
    this.#log.warn(
      'the webhook certificate cannot be shared, so run one replica or give the rights get, create and update on the Secret',
      {secret: `${namespace}/${name}`},
    );
    this.#secret = undefined;
  }
}
