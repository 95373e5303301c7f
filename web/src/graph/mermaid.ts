// The visible graph as a mermaid flowchart. Leaves the whole graph to the server's /graph.mmd.
import type {CollectionKind} from '@krtscope/shared/words.ts';
import type {Drawing} from './drawing.ts';

const shapes: Record<CollectionKind, [string, string]> = {
  source: ['[[', ']]'],
  static: ['[/', '/]'],
  trigger: ['[/', '/]'],
  file: ['[/', '/]'],
  derived: ['(', ')'],
  many: ['(', ')'],
  map: ['(', ')'],
  singleton: ['([', '])'],
  join: ['{{', '}}'],
  index: ['[', ']'],
  status: ['>', ']'],
};

export function toMermaid(drawing: Drawing): string {
  const names = [
    ...drawing.nodes.map(node => node.collection),
    ...drawing.shelf.map(entry => entry.collection),
  ];
  const ids = new Map(names.map((node, position) => [node.name, `n${position}`]));
  const lines = ['flowchart LR'];
  for (const node of names) {
    const [open, close] = shapes[node.kind];
    lines.push(`  ${ids.get(node.name)}${open}"${quoted(node.name)}<br/>${node.size}"${close}`);
  }
  for (const edge of drawing.edges) {
    const label = edge.filters.length > 0 ? `|"${quoted(edge.filters.join(' or '))}"|` : '';
    const arrow = edge.kind === 'input' ? '==>' : '-->';
    lines.push(`  ${ids.get(edge.from)} ${arrow}${label} ${ids.get(edge.to)}`);
  }
  for (const entry of drawing.shelf) {
    for (const reader of entry.readers) {
      const to = ids.get(reader);
      if (to !== undefined) lines.push(`  ${ids.get(entry.collection.name)} -.-> ${to}`);
    }
  }
  if (drawing.left.length > 0)
    lines.push(`  %% ${drawing.drawn} of ${drawing.of} collections; the rest was not on the screen`);
  return `${lines.join('\n')}\n`;
}

/** Mermaid reads `"` and `#` inside labels as its own. */
function quoted(text: string): string {
  return text.replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;');
}
