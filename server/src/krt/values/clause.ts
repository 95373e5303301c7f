// One part of a query as data, so that a reader can test and show a query part by part.

import type {Labels} from './labels.ts';

export type Clause =
  | {kind: 'all'; text: string}
  | {kind: 'keys'; text: string; keys: readonly string[]}
  | {kind: 'namespace'; text: string; namespace: string}
  | {kind: 'labels'; text: string; labels: Labels}
  | {kind: 'selects'; text: string; labels: Labels; nonEmpty: boolean}
  | {kind: 'index'; text: string; index: string; value: string}
  | {kind: 'generic'; text: string; name: string};
