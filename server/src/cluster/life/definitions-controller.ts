// Runs the CRD steps whenever a CRD, or one of the resources it defines, changes.
import type {Api} from '../api.ts';
import type {KubeObject} from '../object/types.ts';
import type {Client} from './client.ts';
import type {Controller} from './controller.ts';
import {DEFINITIONS, reconcileDefinition} from './definitions.ts';

export class DefinitionsController implements Controller {
  readonly name = 'customresourcedefinition-controller';
  readonly #api: Api;
  readonly #client: Client;

  constructor(api: Api, client: Client) {
    this.#api = api;
    this.#client = client;
  }

  touched(shelf: string, object: KubeObject, deleted: boolean): string[] {
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
