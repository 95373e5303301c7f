// The declarations for one formula: the scope, and the collections it names with the types of their items.
import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {EngineLink} from '../../engine/link/engine-link.ts';
import {KindTypes, type OpenApi} from './kind-types.ts';
import {scopeDeclarations} from './scope-declarations.ts';
import {inferType} from './type-inference.ts';

/** Where the OpenAPI document of a resource comes from; undefined where nobody has one. */
export type OpenApiDocuments = (resource: WireResource) => Promise<OpenApi | undefined>;

const SAMPLE_SIZE = 200;

/** Every collection is declared; those asked for have their items' types, all others have `any`. */
export async function declareScope(
  link: EngineLink,
  documents: OpenApiDocuments,
  asked: readonly string[],
): Promise<string> {
  const graph = (await link.ask({ask: 'graph'})) as Graph;
  const kinds = new KindTypes();
  const items: string[] = [];
  const names: string[] = [];
  for (const node of graph.collections) {
    const wanted = asked.includes(node.name);
    const type = wanted ? await itemType(link, documents, kinds, node.name, node.resource) : 'any';
    items.push(`  readonly ${JSON.stringify(node.name)}: ${type};`);
    if (/^[A-Za-z_$][\w$]*$/.test(node.name) && !isScopeWord(node.name)) {
      names.push(`declare const ${node.name}: Collection<Items[${JSON.stringify(node.name)}]>;`);
    }
  }
  return `${scopeDeclarations}\n${kinds.text()}\ninterface Items {\n${items.join('\n')}\n}\n${names.join('\n')}\n`;
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

/** The scope's own words win over a collection of that name: `collection('key')` reaches it. */
function isScopeWord(name: string): boolean {
  return new RegExp(`declare function ${name}\\b`.replaceAll('$', '\\$')).test(scopeDeclarations);
}
