// Places the labels of the hovered node's wires so that they do not cover each other. Pure.
import {labelWidth, type PlacedScene} from '../drawing/scene.ts';
import type {Point} from '../layout/layout.ts';

const LABEL_HEIGHT = 20;

/** The right end of each label, by edge. Labels that would overlap move down. */
export function hoverLabels(placed: PlacedScene, hovered: string | undefined): Map<string, Point> {
  const places = new Map<string, Point>();
  if (hovered === undefined) return places;
  const labels = placed.scene.edges
    .filter(edge => (edge.from === hovered || edge.to === hovered) && edge.hint !== '')
    .flatMap(edge => {
      const route = placed.routes.get(edge.id);
      return route ? [{id: edge.id, width: labelWidth(edge.hint), ...route.label}] : [];
    })
    .sort((a, b) => a.y - b.y || (a.id < b.id ? -1 : 1));
  const done: typeof labels = [];
  for (const label of labels) {
    const overlaps = (other: (typeof labels)[number]) =>
      label.x > other.x - other.width &&
      other.x > label.x - label.width &&
      Math.abs(label.y - other.y) < LABEL_HEIGHT;
    for (let other = done.find(overlaps); other !== undefined; other = done.find(overlaps))
      label.y = other.y + LABEL_HEIGHT;
    done.push(label);
    places.set(label.id, {x: label.x, y: label.y});
  }
  return places;
}
