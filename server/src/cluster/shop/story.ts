// What goes on in the shop: a seeded run of small events worth finding in a debugger.
import type {Api} from '../api.ts';
import type {Client} from '../life/client.ts';

export class Story {
  readonly #api: Api;
  readonly #client: Client;

  constructor(api: Api, client: Client) {
    this.#api = api;
    this.#client = client;
  }

  step(): void {
    void this.#api;
    void this.#client;
  }
}
