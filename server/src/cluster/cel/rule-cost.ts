// Finds loops over lists and maps of any size. 1.36 estimates the cost of a rule and refuses many of these; the embedded
// cluster does not estimate it.
import type {FieldSchema} from '../schema/field-schema.ts';
import type {CelNode} from './syntax.ts';

const LOOPS = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'filter',
  'map',
  'sortBy',
  'transformList',
  'transformMap',
  'transformMapEntry',
]);

/** Loops that make a list or map, and functions whose cost grows with their text or list. */
const COSTLY = new Set([
  'filter',
  'map',
  'sortBy',
  'transformList',
  'transformMap',
  'transformMapEntry',
  'matches',
  'contains',
  'find',
  'findAll',
  'replace',
  'split',
  'join',
  'format',
  '@in',
]);

/**
 * What an expensive rule loops over, and the limit that is missing there: "self.items, which has no maxItems". A
 * single loop of comparisons is cheap enough in 1.36; with a second loop or a costly function it is not.
 */
export function unlimitedLoops(rule: CelNode, self: FieldSchema): string[] {
  const found = new Set<string>();
  let loops = 0;
  let costly = 0;
  visit(rule, node => {
    if (node.op !== 'call') return;
    if (COSTLY.has(node.name)) costly++;
    if (!node.receiver || !LOOPS.has(node.name)) return;
    loops++;
    const range = fieldAt(node.receiver, self);
    if (!range) return;
    const {schema, path} = range;
    if (schema.type === 'array' && schema.inner.maxItems === undefined)
      found.add(`${path}, which has no maxItems`);
    if (schema.type === 'map' && schema.inner.maxProperties === undefined)
      found.add(`${path}, which has no maxProperties`);
  });
  return loops > 1 || costly > 0 ? [...found] : [];
}

/** The field that a path such as self.a.b reads; undefined for other expressions. */
function fieldAt(node: CelNode, self: FieldSchema): {schema: FieldSchema; path: string} | undefined {
  if (node.op === 'identifier') return node.name === 'self' ? {schema: self, path: 'self'} : undefined;
  if (node.op !== 'select') return undefined;
  const above = fieldAt(node.operand, self);
  const schema = above?.schema.field(node.field);
  return above && schema && {schema, path: `${above.path}.${node.field}`};
}

function visit(node: CelNode, see: (node: CelNode) => void): void {
  see(node);
  for (const child of childrenOf(node)) visit(child, see);
}

function childrenOf(node: CelNode): readonly CelNode[] {
  switch (node.op) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.receiver ? [node.receiver, ...node.args] : node.args;
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flat();
    default:
      return [];
  }
}
