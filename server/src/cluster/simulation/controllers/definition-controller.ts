// Reconciles a CRD whenever it or one of its resources changes.
import type {Api} from '../../api.ts';
import type {StoredObject} from '../../object/stored-object.ts';
import type {DirectClient} from '../direct-client.ts';
import type {LoopController} from '../reconcile-loop.ts';
import {DEFINITIONS, reconcileDefinition} from './definition-reconciliation.ts';

export class DefinitionsController implements LoopController {
  readonly name = 'customresourcedefinition-controller';
  readonly #api: Api;
  readonly #client: DirectClient;

  constructor(api: Api, client: DirectClient) {
    this.#api = api;
    this.#client = client;
  }

  touched(shelf: string, object: StoredObject, deleted: boolean): string[] {
    if (shelf === 'apiextensions.k8s.io/customresourcedefinitions') return [object.metadata.name];
    if (!deleted) return [];
    const [group = '', plural = ''] = shelf.split('/');
    const name = `${plural}.${group}`;
    return this.#client.get(DEFINITIONS, '', name) ? [name] : [];
  }

  reconcile(name: string): void {
    reconcileDefinition(this.#api, this.#client, name);
  }
}
