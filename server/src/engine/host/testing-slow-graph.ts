// A graph for tests with a built-in formula that takes as long as its input says.
import {type Collection, type Engine, newCollection} from '../../krt/index.ts';

export const sources = ['Things'];

export interface SlowInput {
  readonly metadata: {readonly name: string};
  readonly milliseconds: number;
  readonly size: number;
}

export function build(_: Engine, source: (name: string) => Collection<unknown>): void {
  newCollection(
    source('Things') as Collection<SlowInput>,
    (_ctx, {metadata: {name}, milliseconds, size}) => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
      return {name, size};
    },
    {name: 'Slow', key: ({name}) => name},
  );
}
