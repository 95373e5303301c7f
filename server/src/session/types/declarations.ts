// TypeScript declarations for one formula: the scope, and the types of the collections it names.
import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import {parseGroupName, withGrouped} from '@krtscope/shared/groups/group-name.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {EngineLink} from '../../engine/link/engine-link.ts';
import {KindTypes, type OpenApi} from './kind-types.ts';
import {scopeDeclarations} from './scope-declarations.ts';
import {inferType} from './type-inference.ts';

/** Finds the OpenAPI document of a resource, or undefined. */
export type OpenApiDocuments = (resource: WireResource) => Promise<OpenApi | undefined>;

const SAMPLE_SIZE = 200;

/** Declares every collection. Those in `asked` get their item types, all others `any`. */
export async function declareScope(
  link: EngineLink,
  documents: OpenApiDocuments,
  typedCollections: readonly string[],
  helpers = '',
): Promise<string> {
  const graph = (await link.ask({ask: 'graph'})) as Graph;
  const kinds = new KindTypes();
  const items: string[] = [];
  const names: string[] = [];
  const withTypes = withGrouped(typedCollections);
  const known = graph.collections.map(node => node.name);
  // A draft names its group before the group exists.
  const newGroups = typedCollections.filter(
    name => !known.includes(name) && known.includes(parseGroupName(name)?.collection ?? ''),
  );
  for (const node of [...graph.collections, ...newGroups.map(name => ({name, resource: undefined}))]) {
    const group = parseGroupName(node.name);
    const typed = withTypes.includes(node.name);
    const type =
      group !== undefined && known.includes(group.collection)
        ? `{readonly key: string; readonly objects: readonly Items[${JSON.stringify(group.collection)}][]}`
        : typed
          ? await itemType(link, documents, kinds, node.name, node.resource)
          : 'any';
    items.push(`  readonly ${JSON.stringify(node.name)}: ${type};`);
    if (/^[A-Za-z_$][\w$]*$/.test(node.name) && !isScopeWord(node.name)) {
      names.push(`declare const ${node.name}: Collection<Items[${JSON.stringify(node.name)}]>;`);
    }
  }
  return `${scopeDeclarations}\n${kinds.text()}\ninterface Items {\n${items.join('\n')}\n}\n${names.join('\n')}\n${declareHelpers(helpers)}`;
}

/** The text of the folder's helpers: types of functions follow from their bodies. */
function declareHelpers(text: string): string {
  return text === ''
    ? ''
    : `${text.replaceAll(/^export\s+(?=function|const|type|interface)/gm, 'declare ')}\n`;
}

async function itemType(
  link: EngineLink,
  documents: OpenApiDocuments,
  kinds: KindTypes,
  collection: string,
  resource: WireResource | undefined,
): Promise<string> {
  if (resource !== undefined) {
    const document = await documents(resource);
    const name = document && kinds.add(document, resource);
    if (name !== undefined) return `k8s.${name}`;
  }
  const {items} = (await link.ask({ask: 'items', collection, limit: SAMPLE_SIZE})) as Items;
  return inferType(items.map(item => item.value));
}

/** The scope's own words win over a collection of that name, which `collection('key')` still reaches. */
function isScopeWord(name: string): boolean {
  return new RegExp(`declare function ${name}\\b`.replaceAll('$', '\\$')).test(scopeDeclarations);
}
