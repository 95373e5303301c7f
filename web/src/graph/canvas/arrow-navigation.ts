// Arrow keys: right to readers, left to inputs, up and down in the column. Pure.
import type {PlacedScene} from '../drawing/scene.ts';

export type ArrowKey = 'ArrowRight' | 'ArrowLeft' | 'ArrowUp' | 'ArrowDown';

export function nextNode(placed: PlacedScene, from: string, step: ArrowKey): string | undefined {
  const at = placed.places.get(from);
  if (!at) return placed.scene.nodes[0]?.id;
  const middle = (id: string) => {
    const point = placed.places.get(id)!;
    const node = placed.scene.nodes.find(one => one.id === id)!;
    return {x: point.x, y: point.y + node.size.height / 2};
  };
  const here = middle(from);
  if (step === 'ArrowRight' || step === 'ArrowLeft') {
    const next = placed.scene.edges
      .filter(edge => (step === 'ArrowRight' ? edge.from : edge.to) === from)
      .map(edge => ({id: step === 'ArrowRight' ? edge.to : edge.from, main: edge.kind === 'fetch' ? 1 : 0}));
    next.sort(
      (a, b) => a.main - b.main || Math.abs(middle(a.id).y - here.y) - Math.abs(middle(b.id).y - here.y),
    );
    return next[0]?.id;
  }
  const side = step === 'ArrowDown' ? 1 : -1;
  const column = placed.scene.nodes
    .map(node => ({id: node.id, ...middle(node.id)}))
    .filter(one => one.id !== from && (one.y - here.y) * side > 0);
  // The nearest node of the same column first, then of the neighbouring columns.
  column.sort(
    (a, b) =>
      Math.abs(a.x - here.x) - Math.abs(b.x - here.x) || Math.abs(a.y - here.y) - Math.abs(b.y - here.y),
  );
  return column[0]?.id;
}
