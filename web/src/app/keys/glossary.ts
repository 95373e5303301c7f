// The terms of krtscope, one meaning each. The shortcuts sheet lists them, tooltips show them.

export const glossary: readonly {word: string; means: string}[] = [
  {
    word: '#4041',
    means:
      'The number of a batch, counted from the start of the recording. It also names the moment after it.',
  },
  {word: '#4041.2', means: 'One run: the third formula that ran in batch #4041, counted from 0.'},
  {
    word: 'batch',
    means: 'Changes from the cluster that krtscope processed together, with everything computed from them.',
  },
  {
    word: 'wave',
    means: 'How a batch spread through the graph: which collections ran, and where it stopped.',
  },
  {
    word: 'collection',
    means: 'A named set of items with keys. A source comes from the cluster. A derived one is computed.',
  },
  {
    word: 'formula',
    means: 'Computes the items of a derived collection from one input and what it fetches.',
  },
  {word: 'run', means: 'One execution of a formula for one input. It ends in one outcome.'},
  {
    word: 'fetch',
    means:
      'A read of another collection inside a formula, with a filter. A change of what it read runs the formula again.',
  },
  {word: 'added, changed, deleted', means: 'The run returned other items than before.'},
  {word: 'equal', means: 'The run returned the same items, so the wave stops here.'},
  {word: 'empty', means: 'The run returned no items, and there were none before.'},
  {word: 'discarded', means: 'The formula kept its previous items.'},
  {word: 'failed', means: 'The formula threw an error. Its last good items stay.'},
  {word: 'suspended', means: 'The run waits for a collection that is not synced.'},
  {
    word: 'origin',
    means: 'The write from outside that caused a value, and the steps from that write to the value.',
  },
  {
    word: 'unknown writer',
    means: 'A write without a field manager. Kubernetes records none for what a write removes.',
  },
  {word: 'incident', means: 'One origin with every problem that follows from it.'},
  {
    word: 'live, paused',
    means: 'Live follows the newest batch. Paused shows one moment in every view.',
  },
];

/** The tooltip of a term, for example of a heading that uses it. */
export function meaningOf(word: string): string | undefined {
  return glossary.find(one => one.word === word)?.means;
}
