// The graph as Mermaid and Graphviz text. Names come from users, so they are escaped.
import type {CollectionNode, Graph, GraphEdge} from './graph.ts';

function nodeNames(graph: Graph): Map<string, string> {
  return new Map(graph.collections.map((c, i) => [c.name, `c${i}`]));
}

function edgeText(edge: GraphEdge): string {
  if (edge.kind === 'input') return '';
  if (edge.kind === 'join') return 'join';
  if (edge.kind === 'index') return 'index';
  const more = edge.filters.length > 2 ? ` (+${edge.filters.length - 2})` : '';
  return `${edge.filters.slice(0, 2).join(' | ') || 'all'}${more}${edge.via === 'scan' ? ' (scan)' : ''}`;
}

function stateText(node: CollectionNode): string {
  if (node.state && node.state !== 'synced') return node.state;
  if (node.waitingFor) return `waiting for ${node.waitingFor}`;
  return node.synced ? '' : 'not synced';
}

function labelLines(node: CollectionNode): string[] {
  const state = stateText(node);
  const runs = node.runs > 0 ? `, ${node.runs} runs` : '';
  return [node.name, `${node.kind}, ${node.size}${runs}`, ...(state ? [state] : [])];
}

/** Mermaid interprets quotes, brackets and hashes inside a label, so they become entities. */
function mermaidText(text: string): string {
  return text.replace(/[&"<>#[\]{}|`\\]/g, char => `#${char.charCodeAt(0)};`).replace(/\s+/g, ' ');
}

const mermaidShapes: Partial<Record<CollectionNode['kind'], [string, string]>> = {
  source: ['[[', ']]'],
  static: ['[/', '/]'],
  file: ['[/', '/]'],
  trigger: ['>', ']'],
  singleton: ['([', '])'],
  join: ['{{', '}}'],
  index: ['[(', ')]'],
};

export function toMermaid(graph: Graph): string {
  const ids = nodeNames(graph);
  const lines = ['flowchart LR'];
  for (const node of graph.collections) {
    const [open, close] = mermaidShapes[node.kind] ?? ['(', ')'];
    const text = labelLines(node).map(mermaidText).join('<br/>');
    lines.push(`  ${ids.get(node.name)}${open}"${text}"${close}`);
  }
  for (const edge of graph.edges) {
    const text = edgeText(edge);
    const arrow = edge.kind === 'input' ? '==>' : edge.kind === 'fetch' ? '-.->' : '-->';
    lines.push(
      `  ${ids.get(edge.from)} ${arrow}${text ? `|"${mermaidText(text)}"|` : ''} ${ids.get(edge.to)}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, ' ')}"`;
}

const dotShapes: Partial<Record<CollectionNode['kind'], string>> = {
  source: 'box',
  static: 'note',
  file: 'note',
  trigger: 'cds',
  singleton: 'oval',
  join: 'hexagon',
  index: 'tab',
};

export function toDot(graph: Graph): string {
  const ids = nodeNames(graph);
  const lines = ['digraph krtscope {', '  rankdir=LR;', '  node [fontname="monospace"];'];
  for (const node of graph.collections) {
    const shape = dotShapes[node.kind];
    const look = shape ? `shape=${shape}` : 'shape=box, style=rounded';
    const text = labelLines(node)
      .map(l => quoted(l).slice(1, -1))
      .join('\\n');
    lines.push(`  ${ids.get(node.name)} [label="${text}", ${look}];`);
  }
  for (const edge of graph.edges) {
    const text = edgeText(edge);
    const look =
      edge.kind === 'input' ? 'penwidth=2' : edge.kind === 'fetch' ? 'style=dashed' : 'style=solid';
    lines.push(
      `  ${ids.get(edge.from)} -> ${ids.get(edge.to)} [${look}${text ? `, label=${quoted(text)}` : ''}];`,
    );
  }
  lines.push('}');
  return `${lines.join('\n')}\n`;
}
