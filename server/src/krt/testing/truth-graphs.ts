// The 16 graphs of the recorded cases by name, built through the engine's public interface only.
import {
  diamond,
  endpoints,
  generic,
  keys,
  labels,
  partial,
  selects,
  status,
  workloads,
} from './truth-fetching.ts';
import type {Build} from './truth-rows.ts';
import {byNode, discard, join, merge, nested, tally, trigger} from './truth-views.ts';

export const truthGraphs: Readonly<Record<string, Build>> = {
  workloads,
  endpoints,
  tally,
  join,
  merge,
  nested,
  byNode,
  status,
  discard,
  trigger,
  diamond,
  keys,
  selects,
  labels,
  partial,
  generic,
};
