// The placed graph as an SVG file in the colours of the page.

import type {PlacedScene, SceneNode} from '../drawing/scene.ts';
import {labelWidth} from '../drawing/scene.ts';
import {nodeOutline, nodePadding} from '../nodes/node-outline.ts';

type TokenPaint = (token: string) => string;

const MARGIN = 32;

/** `paint` returns the colour of a token (`--bg-0`), `lines` the two lines of text of a node. */
export function toSvg(
  placed: PlacedScene,
  paint: TokenPaint,
  lines: (node: SceneNode) => [string, string],
): string {
  const width = placed.width + MARGIN * 2 + 240;
  const height = placed.height + MARGIN * 2;
  const edges = placed.scene.edges.map(edge => {
    const route = placed.routes.get(edge.id);
    if (!route) return '';
    const colour =
      edge.cone === 'cause'
        ? paint('--cause')
        : edge.cone === 'effect'
          ? paint('--effect')
          : paint('--shape');
    const {x, y} = route.end;
    const stroke = edge.kind === 'input' ? 2 : edge.kind === 'join' ? 4.5 : 1.25;
    const core =
      edge.kind === 'join'
        ? `<path d="${route.d}" fill="none" stroke="${paint('--bg-0')}" stroke-width="2"/>`
        : '';
    const w = labelWidth(edge.label);
    const label =
      edge.label === ''
        ? ''
        : `<rect x="${route.label.x - w}" y="${y - 9}" width="${w}" height="18" rx="4" fill="${paint('--bg-0')}" stroke="${paint('--line-2')}"/><text x="${route.label.x - w / 2}" y="${y + 3.5}" text-anchor="middle" font-family="monospace" font-size="10.5" fill="${colour === paint('--shape') ? paint('--tx-2') : colour}">${escapeXml(edge.label)}</text>`;
    return `<path d="${route.d}" fill="none" stroke="${colour}" stroke-width="${stroke}"/>${core}<path d="M${x} ${y}l-9-4.5v9z" fill="${colour}"/>${label}`;
  });
  const nodes = placed.scene.nodes.map(node => {
    const at = placed.places.get(node.id)!;
    const {body, behind} = nodeOutline(node.kind, node.size.width, node.size.height);
    const left = nodePadding(node.kind).left;
    const [title, caption] = lines(node);
    const stroke = node.cone === 'self' ? paint('--ink') : paint('--shape');
    return `<g transform="translate(${at.x} ${at.y})" stroke-width="${node.cone === 'self' ? 2 : 1.2}">${behind
      .map(d => `<path d="${d}" fill="none" stroke="${stroke}"/>`)
      .join(
        '',
      )}<path d="${body}" fill="${paint('--bg-2')}" stroke="${stroke}"/><text x="${left}" y="22" font-family="sans-serif" font-weight="600" font-size="13" fill="${paint('--tx-1')}">${escapeXml(title)}</text><text x="${left}" y="40" font-family="sans-serif" font-size="11" fill="${paint('--tx-3')}">${escapeXml(caption)}</text></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}"><rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${paint('--bg-0')}"/>${edges.join('')}${nodes.join('')}</svg>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
