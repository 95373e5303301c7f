// Tries edits in a copy of the graph: applies them in one batch, compares, and takes them back.
import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {BatchTrace, Collection} from '../../../krt/index.ts';
import type {InstallableFormula} from '../../link/commands.ts';
import type {CopyTrial, CopyTrialResult, EditedObject} from '../../link/copy-trial.ts';
import type {SourceChange} from '../../link/engine-link.ts';
import {executeCommand} from '../commands.ts';
import type {HostState} from '../host-state.ts';
import type {LiveGraph} from '../live-graph/live-graph.ts';
import {stateFindings} from './state-findings.ts';
import {TrialDifference} from './trial-difference.ts';

const WRITER = {manager: 'what-if', operation: 'Apply'};

export class CopyTrials {
  #listener: ((trace: BatchTrace) => void) | undefined;
  /** The findings of the state that no trial has changed, and its newest batch. */
  #before: {sequence: number; findings: ReturnType<typeof stateFindings>} | undefined;

  /** Call it for every settled batch. */
  noteBatch(trace: BatchTrace): void {
    this.#listener?.(trace);
  }

  objects(live: LiveGraph, refs: readonly ItemRef[]): unknown[] {
    return refs.map(({collection, key}) => rowOf(live, collection, key) ?? null);
  }

  run(state: HostState, live: LiveGraph, trial: CopyTrial): CopyTrialResult {
    const before = this.#findingsBefore(state);
    const originals = trial.objects.map(({collection, key}) => rowOf(live, collection, key));
    const formulas = trial.formulas ?? [];
    const installed = new Map(
      state.history.collections.formulas(undefined).map(order => [order.name, order]),
    );
    const forward = new TrialDifference();
    const whole = new TrialDifference();
    let after: CopyTrialResult['after'] = [];
    try {
      this.#record([forward, whole], () => {
        applyObjects(live, trial.objects);
        for (const formula of formulas) executeCommand({live}, {command: 'put-formula', formula});
        while (live.runFirstSlice());
      });
      after = stateFindings(state.records);
    } finally {
      this.#record([whole], () => {
        for (const {name} of [...formulas].reverse()) restoreFormula(live, name, installed.get(name));
        applyObjects(live, toOriginals(trial.objects, originals));
        while (live.runFirstSlice());
      });
    }
    // The state is the one before, so its findings still hold.
    if (this.#before !== undefined) this.#before.sequence = state.history.recording.newest;
    const {collections, omitted} = forward.rows(trial.collections);
    return {
      collections,
      omitted,
      runs: forward.runs,
      stopped: forward.stopped(),
      before,
      after,
      isRestored: whole.isNothing && areOriginals(live, trial.objects, originals),
    };
  }

  #findingsBefore(state: HostState): CopyTrialResult['before'] {
    const sequence = state.history.recording.newest;
    if (this.#before?.sequence !== sequence)
      this.#before = {sequence, findings: stateFindings(state.records)};
    return this.#before.findings;
  }

  #record(into: readonly TrialDifference[], work: () => void): void {
    this.#listener = trace => {
      for (const difference of into) difference.add(trace);
    };
    try {
      work();
    } finally {
      this.#listener = undefined;
    }
  }
}

function rowOf(live: LiveGraph, collection: string, key: string): unknown {
  return (live.collection(collection) as Collection<unknown> | undefined)?.getKey(key);
}

function applyObjects(live: LiveGraph, objects: readonly EditedObject[]): void {
  const received = live.now();
  const changes = objects.map(
    ({collection, key, new: object}): SourceChange => ({
      collection,
      key,
      received,
      writer: WRITER,
      ...(object === undefined ? {event: 'delete'} : {event: 'update', new: object}),
    }),
  );
  if (changes.length > 0) live.apply(changes);
}

function toOriginals(objects: readonly EditedObject[], originals: readonly unknown[]): EditedObject[] {
  return objects.map(({collection, key}, at) => {
    const original = originals[at];
    // A copy: taking an object in shares its parts with the present one, and this one is frozen.
    return original === undefined ? {collection, key} : {collection, key, new: deepCopy(original)};
  });
}

function areOriginals(
  live: LiveGraph,
  objects: readonly EditedObject[],
  originals: readonly unknown[],
): boolean {
  return objects.every(({collection, key}, at) => deepEqual(rowOf(live, collection, key), originals[at]));
}

function restoreFormula(live: LiveGraph, name: string, earlier: InstallableFormula | undefined): void {
  executeCommand(
    {live},
    earlier === undefined
      ? {command: 'drop-formula', name, force: true}
      : {command: 'put-formula', formula: earlier},
  );
}
