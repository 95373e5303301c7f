// Which kinds a program works with: the built-in ones, and those it adds. Two kinds of one name in one API
// version are refused where they are added, not where an object of the wrong shape turns up.

import type {KubeObject} from '../../kube/object.ts';
import {builtInKinds} from './built-in-kinds.ts';
import {groupOf, type Kind, type KindRef, kindId} from './kind.ts';

export class Scheme {
  readonly #kinds = new Map<string, Kind>();

  constructor(...kinds: readonly Kind[]) {
    for (const one of Object.values(builtInKinds)) this.#kinds.set(kindId(one), one);
    this.add(...kinds);
  }

  /** Adds kinds; adding the same one again changes nothing, another one of that name throws. */
  add(...kinds: readonly Kind[]): this {
    for (const one of kinds) {
      const id = kindId(one);
      const there = this.#kinds.get(id);
      if (there && there !== one)
        throw new Error(`there is a kind ${one.kind} in ${one.apiVersion} already; add each kind once`);
      this.#kinds.set(id, one);
    }
    return this;
  }

  recognizes(ref: KindRef): boolean {
    return this.#kinds.has(kindId(ref));
  }

  /** Every version of a kind that was added, in the order of adding. */
  versions(group: string, kind: string): Kind[] {
    return this.kinds().filter(one => one.kind === kind && groupOf(one) === group);
  }

  kinds(): Kind[] {
    return [...this.#kinds.values()];
  }

  /** The kind an object says it is; throws where it was never added. */
  kindOf(object: KubeObject): Kind {
    const {apiVersion = '', kind = ''} = object;
    const found = this.#kinds.get(kindId({apiVersion, kind}));
    if (found) return found;
    throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"; add it to the scheme`);
  }
}
