// Open questions and subscriptions by their number on the channel. Subscriptions survive a process.
import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {ErrorCode} from '@krtscope/shared/vocabulary.ts';
import {EngineFailure, type UpdateListener, type UpdateWithoutId} from '../link/engine-link.ts';
import type {FromHost, ToHost} from '../link/host-messages.ts';

/** The time limit for an answer. Writing a file may take longer. */
const BUDGET_MS = 20_000;
const EXPORT_BUDGET_MS = 300_000;

interface HostRequest {
  resolve(value: unknown): void;
  reject(failure: EngineFailure): void;
  readonly budget: NodeJS.Timeout;
}

interface SupervisorSubscription {
  readonly question: Question;
  readonly on: UpdateListener;
  onFailure(failure: ApiFailure): void;
}

export class HostRequests {
  readonly #requests = new Map<number, HostRequest>();
  readonly #subscriptions = new Map<number, SupervisorSubscription>();
  #ids = 0;

  /** `message` gets the number that the answer will carry. */
  ask(send: (message: ToHost) => void, message: (id: number) => ToHost): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#ids += 1;
      const id = this.#ids;
      const request = message(id);
      const ms = request.type === 'export' ? EXPORT_BUDGET_MS : BUDGET_MS;
      const budget = setTimeout(() => {
        if (this.#requests.delete(id)) reject(createTimeoutFailure(ms));
      }, ms).unref();
      this.#requests.set(id, {resolve, reject, budget});
      send(request);
    });
  }

  subscribe(subscription: SupervisorSubscription): number {
    this.#ids += 1;
    this.#subscriptions.set(this.#ids, subscription);
    return this.#ids;
  }

  unsubscribe(id: number): boolean {
    return this.#subscriptions.delete(id);
  }

  /** A question or a subscription is open. */
  get isUsed(): boolean {
    return this.#requests.size + this.#subscriptions.size > 0;
  }

  /** The messages that subscribe a new process. */
  *subscriptions(): Iterable<ToHost> {
    for (const [id, {question}] of this.#subscriptions) yield {type: 'subscribe', id, question};
  }

  failAll(failure: EngineFailure): void {
    const requests = [...this.#requests.values()];
    this.#requests.clear();
    for (const {reject, budget} of requests) {
      clearTimeout(budget);
      reject(failure);
    }
  }

  /** Returns true if the message was an answer or an update. Drops late answers. */
  take(message: FromHost): boolean {
    switch (message.type) {
      case 'answer':
        this.#settle(message.id)?.resolve(JSON.parse(message.value));
        return true;
      case 'piece':
        this.#settle(message.id)?.resolve(message.text);
        return true;
      case 'exported':
        this.#settle(message.id)?.resolve(message.bytes);
        return true;
      case 'failed':
        this.#settle(message.id)?.reject(toEngineFailure(message.failure));
        return true;
      case 'update': {
        const {update, sequence} = message;
        this.#subscriptions.get(message.id)?.on(JSON.parse(update) as UpdateWithoutId, sequence, update);
        return true;
      }
      case 'trouble':
        this.#subscriptions.get(message.id)?.onFailure(message.failure);
        return true;
      default:
        return false;
    }
  }

  #settle(id: number): HostRequest | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    clearTimeout(request?.budget);
    return request;
  }
}

function createTimeoutFailure(ms: number): EngineFailure {
  return new EngineFailure({
    code: 'engine-restarting',
    message: `the engine process did not answer within ${ms / 1000} s`,
    hint: 'ask for less, or try again',
  });
}

function toEngineFailure(failure: ApiFailure): EngineFailure {
  return new EngineFailure({...failure, code: failure.code as ErrorCode});
}
