// The export menu: the visible graph as SVG, PNG, Mermaid or DOT.

import {toDot, toMermaid} from '@krtscope/shared/diagram.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import {copyText, toast} from '../../store/app.ts';
import type {MenuItem} from '../../ui/controls/Menu.tsx';
import {saveFile} from '../../ui/save-file.ts';
import type {PlacedScene, SceneNode} from '../drawing/scene.ts';
import {toSvg} from './svg-export.ts';

export function exportMenuItems(
  placed: PlacedScene | null,
  graph: Graph | null,
  lines: (node: SceneNode) => [string, string],
): MenuItem[] {
  const svg = () => toSvg(placed!, tokenColour, lines);
  const off = placed === null;
  return [
    {
      id: 'svg',
      label: 'SVG',
      icon: 'file',
      disabled: off,
      onPick: () => save(new Blob([svg()], {type: 'image/svg+xml'}), 'krtscope-graph.svg'),
    },
    {
      id: 'png',
      label: 'PNG',
      icon: 'file',
      disabled: off,
      onPick: () =>
        void renderPng(svg()).then(
          blob => save(blob, 'krtscope-graph.png'),
          () => toast('The browser could not create the PNG. Use SVG instead.', 'error'),
        ),
    },
    {
      id: 'mermaid',
      label: 'Copy Mermaid',
      icon: 'copy',
      disabled: graph === null,
      onPick: () => void copyText(toMermaid(graph!), 'Mermaid copied'),
    },
    {
      id: 'mermaid-file',
      label: 'Mermaid file',
      icon: 'file',
      disabled: graph === null,
      onPick: () => save(new Blob([toMermaid(graph!)], {type: 'text/plain'}), 'krtscope-graph.mmd'),
    },
    {
      id: 'dot',
      label: 'DOT file',
      icon: 'file',
      disabled: graph === null,
      onPick: () => save(new Blob([toDot(graph!)], {type: 'text/plain'}), 'krtscope-graph.dot'),
    },
  ];
}

/** The visible part of the graph, with folded collections. */
export function visiblePart(graph: Graph, shown: ReadonlySet<string>): Graph {
  return {
    ...graph,
    collections: graph.collections.filter(node => shown.has(node.name)),
    edges: graph.edges.filter(edge => shown.has(edge.from) && shown.has(edge.to)),
  };
}

function tokenColour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}

function save(blob: Blob, name: string): void {
  saveFile(blob, name);
  toast(`Saved ${name}`);
}

async function renderPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  const context = canvas.getContext('2d')!;
  context.scale(2, 2);
  context.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}
