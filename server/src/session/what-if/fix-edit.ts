// Reads the kubectl command of a fix as an edit, so that it can be tried in the copy.
import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import type {EditInput} from '@krtscope/shared/what-if/what-if.ts';

/** A word of a shell: plain, or in single quotes with `'\''` for a quote. */
const WORD = /(?:\\'|[^\s']|'[^']*')+/g;

function wordsOf(command: string): string[] {
  return (command.match(WORD) ?? []).map(word =>
    word.replace(/'([^']*)'|\\'/g, (_, inside: string | undefined) => inside ?? "'"),
  );
}

/** Undefined for a command that is not a label, an annotation or a patch of an object of a source. */
export function fixEdit(command: string, graph: Graph): EditInput | undefined {
  const [kubectl, ...rest] = wordsOf(command);
  if (kubectl !== 'kubectl') return undefined;
  const namespace = rest[0] === '-n' ? rest.splice(0, 2)[1] : undefined;
  const [verb, kind = '', name = '', ...options] = rest;
  const collection = graph.collections.find(({resource}) => resource && isNamed(resource, kind))?.name;
  if (collection === undefined) return undefined;
  const ref = {collection, key: namespace === undefined ? name : `${namespace}/${name}`};
  if (verb === 'label' || verb === 'annotate') {
    const [assignment = ''] = options;
    const at = assignment.indexOf('=');
    const [entry, value] =
      at < 0 ? [assignment.slice(0, -1), null] : [assignment.slice(0, at), assignment.slice(at + 1)];
    const body = {metadata: {[verb === 'label' ? 'labels' : 'annotations']: {[entry]: value}}};
    return {patch: {...ref, body, type: 'merge'}};
  }
  const patch = options[options.indexOf('-p') + 1];
  const type = /^--type=(merge|json)$/.exec(options[0] ?? '')?.[1] as 'merge' | 'json' | undefined;
  if (verb !== 'patch' || type === undefined || patch === undefined) return undefined;
  return {patch: {...ref, body: JSON.parse(patch), type}};
}

function isNamed({group, kind, resource}: WireResource, name: string): boolean {
  return name === kind.toLowerCase() || name === `${resource}.${group}`;
}
