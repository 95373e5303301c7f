// The kinds of a program: the built-in ones and those that it adds. Adding two kinds of one name and API version
// fails at once.

import type {KubeObject} from '../../kube/object.ts';
import {builtInKinds} from './built-in-kinds.ts';
import {groupOf, type Kind, type KindRef, kindId} from './kind.ts';

export class Scheme {
  readonly #kinds = new Map<string, Kind>();

  constructor(...kinds: readonly Kind[]) {
    for (const one of Object.values(builtInKinds)) this.#kinds.set(kindId(one), one);
    this.add(...kinds);
  }

  /** Adds kinds. Adding the same kind twice is allowed; another kind of the same name throws. */
  add(...kinds: readonly Kind[]): this {
    for (const one of kinds) {
      const id = kindId(one);
      const there = this.#kinds.get(id);
      if (there && there !== one)
        throw new Error(
          `another kind ${one.kind} in ${one.apiVersion} was already added; add each kind once`,
        );
      this.#kinds.set(id, one);
    }
    return this;
  }

  recognizes(ref: KindRef): boolean {
    return this.#kinds.has(kindId(ref));
  }

  /** Returns every added version of a kind, in order. */
  versions(group: string, kind: string): Kind[] {
    return this.kinds().filter(one => one.kind === kind && groupOf(one) === group);
  }

  kinds(): Kind[] {
    return [...this.#kinds.values()];
  }

  /** Returns the kind of an object. Throws if the kind was not added. */
  kindOf(object: KubeObject): Kind {
    const {apiVersion = '', kind = ''} = object;
    const found = this.#kinds.get(kindId({apiVersion, kind}));
    if (found) return found;
    throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"; add it to the scheme`);
  }
}
