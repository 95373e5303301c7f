// The last answer to every question, whatever its moment: the next moment's is compared with it.
import {share} from './share.ts';

/** Questions whose last answer is kept. */
const MOST = 32;

export class LastAnswers {
  /** The one asked longest ago first. */
  readonly #answers = new Map<string, unknown>();

  /** The answer with all that it has in common with the last one as the same objects. */
  share<T>(question: object, answer: T): T {
    return share(this.#answers.get(aboutOf(question)), answer);
  }

  keep(question: object, answer: unknown): void {
    const about = aboutOf(question);
    this.#answers.delete(about);
    this.#answers.set(about, answer);
    if (this.#answers.size > MOST) this.#answers.delete(this.#answers.keys().next().value as string);
  }

  clear(): void {
    this.#answers.clear();
  }
}

/** What is asked, without the moment. */
function aboutOf(question: object): string {
  return JSON.stringify({...question, at: undefined});
}
