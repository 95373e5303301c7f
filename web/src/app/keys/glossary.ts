// The tool's own words, one meaning each, for the page behind `?`.
export const glossary: readonly {word: string; means: string}[] = [
  {
    word: '#4041',
    means: 'The number of a batch, counted from the start of the recording. A moment is what held after it.',
  },
  {word: '#4041.2', means: 'One run: the third formula that ran in batch #4041, counted from 0.'},
  {
    word: 'batch',
    means:
      'Changes that were taken in as one turn, with all that was computed from them before anybody was told.',
  },
  {word: 'wave', means: 'How a batch spread through the graph: which collections ran, and where it stopped.'},
  {
    word: 'collection',
    means: 'A named set of items with keys. A source comes from the cluster, a derived one is computed.',
  },
  {
    word: 'formula',
    means: 'What computes a derived collection: one input and what it fetches in, items out.',
  },
  {word: 'run', means: 'One formula for one input. It ends in one outcome.'},
  {
    word: 'fetch',
    means:
      'A read of another collection inside a formula, with its filter; it is remembered and makes the formula run again.',
  },
  {word: 'added, changed, deleted', means: 'The run gave other items than before.'},
  {word: 'equal', means: 'The run gave the same items: the wave stops here.'},
  {word: 'empty', means: 'The run gave nothing, and there was nothing.'},
  {word: 'discarded', means: 'The formula asked to keep what it gave before.'},
  {word: 'failed', means: 'The formula threw an error; its last good items stay.'},
  {word: 'suspended', means: 'The run waits for a collection that is not synced.'},
  {
    word: 'origin',
    means: 'The write from outside that made a value what it is, and the steps from there to here.',
  },
  {
    word: 'unsigned',
    means:
      'A write without the name of a manager: Kubernetes notes none for what is removed. It stands among people’s unless a controller keeps the object.',
  },
  {word: 'incident', means: 'One origin with everything that the checks found to follow from it.'},
  {
    word: 'live, paused',
    means: 'Live follows the newest batch. Paused shows one moment in every view, and nothing newer.',
  },
];
