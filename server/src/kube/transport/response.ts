// Decodes responses: body text, JSON, errors, warnings and Retry-After.

import type {IncomingHttpHeaders} from 'node:http';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import type {Dispatcher} from 'undici';
import {ApiError, ConnectionError} from '../error.ts';
import {isStatus, type Status} from '../object.ts';
import type {TimeLimit} from './time-limit.ts';

/** The part of a response that arrives first. */
export interface ResponseHead {
  statusCode: number;
  headers: IncomingHttpHeaders;
}

export const brokenOff = 'the answer broke off';

const inflate = promisify(gunzip);

/** The text of a response whose body is complete. */
export async function textOf({headers}: ResponseHead, bytes: Buffer): Promise<string> {
  const plain = headers['content-encoding'] === 'gzip' ? await inflate(bytes) : bytes;
  return plain.toString('utf8');
}

/** The error of a stream that the server refused. */
export async function readError(answer: Dispatcher.ResponseData, limit: TimeLimit): Promise<ApiError> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) {
      limit.restart();
      chunks.push(chunk as Buffer);
    }
    return errorOf(answer, await textOf(answer, Buffer.concat(chunks)));
  } catch (error) {
    throw limit.explain(error, 'request', brokenOff);
  }
}

export function errorOf(answer: ResponseHead, text: string): ApiError {
  const wait = retryAfterOf(answer.headers['retry-after']);
  const status = parseStatus(text);
  const message = status?.message ?? describeAnswer(answer, text);
  return new ApiError(answer.statusCode, message, status, wait);
}

function describeAnswer({statusCode, headers}: ResponseHead, text: string): string {
  if (statusCode < 400)
    return `it redirects to ${String(headers.location ?? 'another address')}; check the server address in the kubeconfig`;
  return `the server answered ${statusCode}: ${text.slice(0, 200).trim()}`;
}

function parseStatus(text: string): Status | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isStatus(body) ? body : undefined;
  } catch {
    // A proxy in front of the server answers in HTML or plain text. The status code is enough then.
    return undefined;
  }
}

export function parseBody(text: string, answer: ResponseHead): unknown {
  if (!text) return undefined;
  const type = String(answer.headers['content-type'] ?? 'application/json');
  if (!type.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConnectionError('other', 'decode', `the answer is not JSON: ${text.slice(0, 80)}`, {
      cause: error,
    });
  }
}

function retryAfterOf(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (!text) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

export function warningsOf(headers: IncomingHttpHeaders): string[] {
  const raw: unknown = headers.warning;
  const lines: unknown[] = Array.isArray(raw) ? raw : [raw];
  return lines.flatMap(line =>
    typeof line === 'string'
      ? [...line.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(match => match[1]!.replace(/\\(.)/g, '$1'))
      : [],
  );
}
