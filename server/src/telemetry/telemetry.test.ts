import {expect, test} from 'vitest';
import {RateLimitSampler} from './rate-limit-sampler.ts';
import {startTelemetry, tracesEndpoint} from './telemetry.ts';

test('it is off without an endpoint, and when a standard variable turns it off', async () => {
  expect(await startTelemetry({}, '1', () => {})).toBeUndefined();
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
  expect(tracesEndpoint({OTEL_EXPORTER_OTLP_ENDPOINT: ''})).toBeUndefined();
  expect(tracesEndpoint({OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true'})).toBeUndefined();
  expect(tracesEndpoint({OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none'})).toBeUndefined();
  expect(tracesEndpoint({OTEL_EXPORTER_OTLP_ENDPOINT})).toBe(OTEL_EXPORTER_OTLP_ENDPOINT);
  expect(tracesEndpoint({OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other'})).toBe('http://other');
});

test('the default sampling takes so many new traces a second, and no more', () => {
  let now = 0;
  const sampler = new RateLimitSampler(10, () => now);
  const sampled = (count: number) =>
    Array.from({length: count}, () => sampler.shouldSample().decision).filter(one => one === 2).length;
  expect(sampled(100)).toBe(10);
  now = 500;
  expect(sampled(100)).toBe(5);
  now = 60_000;
  expect(sampled(100)).toBe(10);
});
