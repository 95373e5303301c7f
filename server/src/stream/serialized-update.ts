// An update of a shared subscription with its JSON text. All sockets send the same text, each with its own id.
import type {MarkedUpdate, Update} from '@krtscope/shared/stream.ts';
import {joinUpdates} from '@krtscope/shared/subscription-update.ts';

export class SerializedUpdate {
  readonly update: Update;
  /** Names the state that the update leads to. */
  readonly mark: string | undefined;
  #text: string | undefined;

  /** `text` is the JSON of the update without its id, where the engine process has already written it. */
  constructor(update: Update, mark?: string, text?: string) {
    this.update = update;
    this.mark = mark;
    this.#text = text;
  }

  get isSnapshot(): boolean {
    return 'snapshot' in this.update;
  }

  /** One update with the effect of this one and the next. */
  join(next: SerializedUpdate): SerializedUpdate {
    return new SerializedUpdate(joinUpdates(this.update, next.update), next.mark);
  }

  /** The update as JSON for the socket that subscribed under this id. */
  toJSONFor(id: string): string {
    const {id: _, ...content} = this.update;
    this.#text ??= JSON.stringify(content);
    const head: Pick<MarkedUpdate, 'id' | 'mark'> = {id, mark: this.mark};
    return `${JSON.stringify(head).slice(0, -1)},${this.#text.slice(1)}`;
  }
}
