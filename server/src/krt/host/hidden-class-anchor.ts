// A small graph that is never freed. V8 forgets the hidden class of instances with the last one, and gives
// the next ones a new class. Code that has seen several classes stays slow: graphs made after others had gone
// were four times as slow.

import type {Engine} from '../graph/engine.ts';
import {newCollection} from '../kinds/derived-collection.ts';
import {newStaticCollection} from '../kinds/static-collection.ts';
import {filterNamespace, filterSelectsNonEmpty} from '../query/filter.ts';
import {fetch} from '../run/fetch.ts';
import type {Collection} from '../values/collection.ts';

interface AnchorItem {
  metadata: {namespace: string; name: string; labels: {app: string}};
  spec: {selector: {app: string}};
}

function makeAnchorItem(name: string): AnchorItem {
  return {metadata: {namespace: 'a', name, labels: {app: name}}, spec: {selector: {app: name}}};
}

export class HiddenClassAnchor {
  readonly engine: Engine;
  readonly collections: readonly Collection<unknown>[];

  /** Uses only what most graphs use: code that has seen every case is slower for all. */
  constructor(engine: Engine) {
    this.engine = engine;
    const things = newStaticCollection(engine, [makeAnchorItem('x'), makeAnchorItem('y')]);
    const others = newStaticCollection(engine, [makeAnchorItem('x')]);
    const rows = newCollection(
      things,
      (ctx, {metadata: {namespace, name, labels}}) => {
        const found = fetch(ctx, others, filterNamespace(namespace), filterSelectsNonEmpty(labels));
        return {key: `${namespace}/${name}`, found: found.length};
      },
      {key: row => row.key},
    );
    rows.registerBatch(() => {});
    others.updateObject(makeAnchorItem('y'));
    this.collections = [things, others, rows];
  }
}
