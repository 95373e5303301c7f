// What every node on the canvas needs to know of the view around it.
import {createContext, type RefObject, useContext} from 'react';
import type {SceneNode} from './drawing/scene.ts';
import type {Heat} from './use-graph-choice.ts';
import type {WaveCount} from './waves/wave-sentence.ts';

export interface GraphContextValue {
  focus: string | undefined;
  roving: string | undefined;
  heat: Heat;
  heatMost: number;
  found: ReadonlySet<string>;
  finding: boolean;
  /** The node under the pointer, or the one the keyboard stands on. */
  hovered: string | undefined;
  hover: (id: string | undefined) => void;
  /** A double click: into the sheet, or to the item's Why. */
  enter: (node: SceneNode) => void;
  counts: ReadonlyMap<string, WaveCount>;
  /** How often the wave wrote to a source from outside. */
  writes: ReadonlyMap<string, number>;
  /** The moment that is looked at, null when live: at a past one the wave alone tells what is new. */
  moment: number | null;
  notRun: ReadonlySet<string>;
  inputs: (id: string) => {inputs: number; outputs: number};
  stubs: ReadonlyMap<string, {up?: string[]; down?: string[]}>;
  /** Whether wires are drawn at its left and right side. */
  wired: (id: string) => {up: boolean; down: boolean};
  pick: (node: SceneNode) => void;
  open: (names: readonly string[]) => void;
  focusNode: (id: string) => void;
  /** The node that an arrow key went to: out of view it becomes an element first and takes the focus then. */
  walked: RefObject<string | undefined>;
}

export const GraphContext = createContext<GraphContextValue | null>(null);

export function useGraphContext(): GraphContextValue {
  const value = useContext(GraphContext);
  if (!value) throw new Error('a graph node is drawn outside its canvas');
  return value;
}
