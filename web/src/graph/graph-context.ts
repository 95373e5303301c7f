// The state of the view that every node on the canvas reads.
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
  /** The node under the pointer or with the focus. */
  hovered: string | undefined;
  hover: (id: string | undefined) => void;
  /** Double click: opens the Sheet of a collection, or Why of an item. */
  enter: (node: SceneNode) => void;
  counts: ReadonlyMap<string, WaveCount>;
  /** Root writes of the wave by source. */
  writes: ReadonlyMap<string, number>;
  /** Null when live. At a past moment only the wave shows what changed. */
  moment: number | null;
  notRun: ReadonlySet<string>;
  inputs: (id: string) => {inputs: number; outputs: number};
  stubs: ReadonlyMap<string, {up?: string[]; down?: string[]}>;
  /** Whether wires are drawn at the left and the right side of the node. */
  wired: (id: string) => {up: boolean; down: boolean};
  pick: (node: SceneNode) => void;
  open: (names: readonly string[]) => void;
  focusNode: (id: string) => void;
  /** The target of an arrow key. It takes the focus when it is mounted. */
  walked: RefObject<string | undefined>;
}

export const GraphContext = createContext<GraphContextValue | null>(null);

export function useGraphContext(): GraphContextValue {
  const value = useContext(GraphContext);
  if (!value) throw new Error('a graph node needs a GraphContext');
  return value;
}
