// Samples every new trace up to a number per second. Children follow their parent (ParentBasedSampler).
import {type Sampler, SamplingDecision, type SamplingResult} from '@opentelemetry/sdk-trace-base';

export class RateLimitSampler implements Sampler {
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = perSecond;
    this.#at = now();
  }

  shouldSample(): SamplingResult {
    const now = this.#now();
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return {decision: SamplingDecision.NOT_RECORD};
    this.#left -= 1;
    return {decision: SamplingDecision.RECORD_AND_SAMPLED};
  }

  toString(): string {
    return `RateLimit{${this.#perSecond}}`;
  }
}
