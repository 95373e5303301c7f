// Reads the dumped discovery and OpenAPI documents. Unpacks a document on first use, to keep the start fast.
import {readFileSync} from 'node:fs';
import {brotliDecompressSync} from 'node:zlib';
import type {JsonObject} from '../object/stored-object.ts';

export interface DumpedSubresource {
  subresource: string;
  responseKind: {group: string; version: string; kind: string};
  acceptedTypes?: {group: string; version: string; kind: string}[];
  verbs: string[];
}

export interface DumpedResource {
  resource: string;
  responseKind: {group: string; version: string; kind: string};
  scope: 'Namespaced' | 'Cluster';
  singularResource: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: DumpedSubresource[];
}

interface DumpedGroup {
  group: string;
  version: string;
  resources: DumpedResource[];
}

interface OpenApiDocument {
  openapi: string;
  info: JsonObject;
  paths: JsonObject;
  components: {schemas: Record<string, JsonObject>; securitySchemes?: JsonObject};
}

function unpack(name: string): string {
  const file = new URL(`../schemas/${name}.json.br`, import.meta.url);
  return brotliDecompressSync(readFileSync(file)).toString('utf8');
}

let discovery: {version: JsonObject; groups: DumpedGroup[]} | undefined;

export function dumpedDiscovery(): {version: JsonObject; groups: DumpedGroup[]} {
  discovery ??= JSON.parse(unpack('discovery')) as {version: JsonObject; groups: DumpedGroup[]};
  return discovery;
}

const texts = new Map<string, string>();
const documents = new Map<string, OpenApiDocument>();

/** The OpenAPI v3 document of a dumped group version ("v1", "apps/v1"), unchanged. */
export function dumpedText(groupVersion: string): string {
  let text = texts.get(groupVersion);
  if (text === undefined) {
    text = unpack(groupVersion.replace('/', '_'));
    texts.set(groupVersion, text);
  }
  return text;
}

export function dumpedDocument(groupVersion: string): OpenApiDocument {
  let document = documents.get(groupVersion);
  if (!document) {
    document = JSON.parse(dumpedText(groupVersion)) as OpenApiDocument;
    documents.set(groupVersion, document);
  }
  return document;
}
