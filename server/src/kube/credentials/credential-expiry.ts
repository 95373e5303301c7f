// Tells whether a token or a client certificate has expired, by its own content.

import {X509Certificate} from 'node:crypto';
import {isRecord} from '../object.ts';

export interface CredentialMaterial {
  token?: string | undefined;
  certificate?: Buffer | undefined;
  file: string;
}

/** Says what expired, when, and what to do. Undefined when nothing has expired. */
export function describeExpiry(
  {token, certificate, file}: CredentialMaterial,
  now: number,
): string | undefined {
  const ended = (what: string, at: number) =>
    at < now
      ? `the ${what} in ${file} expired at ${new Date(at).toISOString()}; renew it there, krtscope reads it again`
      : undefined;
  const tokenEnd = token === undefined ? undefined : endOfToken(token);
  if (tokenEnd !== undefined) return ended('token', tokenEnd);
  const certificateEnd = certificate === undefined ? undefined : endOfCertificate(certificate);
  return certificateEnd === undefined ? undefined : ended('client certificate', certificateEnd);
}

function endOfToken(token: string): number | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isRecord(claims) && typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  } catch {
    // Not every token is a JWT.
    return undefined;
  }
}

function endOfCertificate(pem: Buffer): number | undefined {
  try {
    return new X509Certificate(pem).validToDate.getTime();
  } catch {
    return undefined;
  }
}
