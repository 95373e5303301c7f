// The objects of a manifest of several documents, as kubectl reads them.
import {LineCounter, parseAllDocuments} from 'yaml';
import {readYaml, YamlError, yamlOptions} from './parse-yaml.ts';

export type ManifestObject = Record<string, unknown>;

/** The message has no line; `line` counts from 1. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Documents without content are left out. Throws ManifestError. */
export function parseManifestObjects(text: string): ManifestObject[] {
  const lines = new LineCounter();
  const objects: ManifestObject[] = [];
  for (const {contents, errors} of parseAllDocuments(text, {...yamlOptions, lineCounter: lines})) {
    const [error] = errors;
    if (error !== undefined)
      throw new ManifestError(withoutPlace(error.message), error.linePos?.[0].line ?? 1);
    const line = Math.max(1, lines.linePos(contents?.range?.[0] ?? 0).line);
    let value: unknown;
    try {
      ({value} = readYaml(contents, lines));
    } catch (problem) {
      if (!(problem instanceof YamlError)) throw problem;
      throw new ManifestError(problem.message.replace(/^yaml: /, ''), line);
    }
    if (value === null) continue;
    if (typeof value !== 'object' || Array.isArray(value))
      throw new ManifestError('a document is not an object: it needs apiVersion, kind and metadata', line);
    objects.push(value as ManifestObject);
  }
  return objects;
}

/** The first line of a parser's message, without the place that it repeats. */
export function withoutPlace(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}
