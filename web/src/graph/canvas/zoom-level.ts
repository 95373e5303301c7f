// Text sizes by zoom, so that no text appears smaller than 11 px on the screen. Pure.

export type ZoomLevel = 'near' | 'close' | 'small' | 'tiny' | 'middle' | 'far' | 'dots';

/** The lowest zoom of each level, and the size of its smallest text in the drawing. `dots` has no text. */
export const zoomLevels: readonly {level: ZoomLevel; from: number; text: number}[] = [
  {level: 'near', from: 1, text: 11},
  {level: 'close', from: 0.88, text: 12.5},
  {level: 'small', from: 0.74, text: 15},
  {level: 'tiny', from: 0.62, text: 18},
  {level: 'middle', from: 0.42, text: 26.5},
  {level: 'far', from: 0.34, text: 32.5},
  {level: 'dots', from: 0, text: 0},
];

export function zoomLevel(zoom: number): ZoomLevel {
  return zoomLevels.find(({from}) => zoom >= from)!.level;
}
