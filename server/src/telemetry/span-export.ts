// Writes spans with the official OpenTelemetry packages, over OTLP/HTTP. Imported only when an endpoint is set.
import {
  type Context,
  type DiagLogger,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import {OTLPTraceExporter} from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler} from '@opentelemetry/sdk-trace-base';
import {RateLimitSampler} from './rate-limit-sampler.ts';
import type {SpanAttributes, SpanStart, SpanWriter, WrittenSpan} from './span-writer.ts';

export interface SpanExport {
  readonly writer: SpanWriter;
  /** Sampling leaves out every trace. */
  readonly isOff: boolean;
  stop(): Promise<void>;
}

/** New traces a second without OTEL_TRACES_SAMPLER. */
const DEFAULT_TRACES_PER_SECOND = 100;
/** The longest time that the last export may take. */
const STOP_MS = 1000;
/** Problems of the exporter are logged at most so often. */
const LOG_EVERY_MS = 60_000;

export function createSpanExport(
  env: Record<string, string | undefined>,
  version: string,
  log: (line: string) => void,
): SpanExport {
  diag.setLogger(createDiagLogger(log), {logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true});
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol !== undefined && protocol !== 'http/protobuf')
    log(`OpenTelemetry: the protocol ${protocol} is not supported; http/protobuf is used`);
  const sampler = env.OTEL_TRACES_SAMPLER?.trim();
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({'service.name': 'krtscope', 'service.version': version}))
      .merge(detectResources({detectors: [envDetector]})),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    ...(sampler
      ? {}
      : {sampler: new ParentBasedSampler({root: new RateLimitSampler(DEFAULT_TRACES_PER_SECOND)})}),
  });
  const tracer = provider.getTracer('krtscope', version);
  const writer: SpanWriter = {
    start({name, start, attributes, parent, links = [], client}: SpanStart): WrittenSpan {
      const context = parent === undefined ? ROOT_CONTEXT : (parent as OtelSpan).context;
      const span = tracer.startSpan(
        name,
        {
          startTime: start,
          attributes,
          kind: client ? SpanKind.CLIENT : SpanKind.INTERNAL,
          links: links.map(link => ({context: (link as OtelSpan).spanContext})),
        },
        context,
      );
      return new OtelSpan(span, context);
    },
  };
  return {
    writer,
    isOff: sampler === 'always_off' || sampler === 'parentbased_always_off',
    async stop() {
      const timeout = new Promise<void>(resolve => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), timeout]);
    },
  };
}

class OtelSpan implements WrittenSpan {
  readonly #parentContext: Context;
  #span: Span;
  #context: Context | undefined;

  constructor(span: Span, parentContext: Context) {
    this.#span = span;
    this.#parentContext = parentContext;
  }

  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  get spanContext() {
    return this.#span.spanContext();
  }

  get context(): Context {
    this.#context ??= trace.setSpan(this.#parentContext, this.#span);
    return this.#context;
  }

  setAttributes(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(at: number, error?: string): void {
    if (error !== undefined) this.#span.setStatus({code: SpanStatusCode.ERROR, message: error});
    this.#span.end(at);
    // Later children need the ids only, not the attributes.
    this.#span = trace.wrapSpanContext(this.#span.spanContext());
    this.#context = undefined;
  }
}

function createDiagLogger(log: (line: string) => void): DiagLogger {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const error = (message: string): void => {
    const now = performance.now();
    if (now - loggedAt < LOG_EVERY_MS) return;
    loggedAt = now;
    log(`OpenTelemetry: ${problemText(message)}`);
  };
  const ignore = () => {};
  return {error, warn: ignore, info: ignore, debug: ignore, verbose: ignore};
}

/** The packages report errors as JSON with a stack. */
function problemText(message: string): string {
  try {
    const {name = 'Error', message: text, code, errors} = JSON.parse(message) as Record<string, string>;
    return `${text || errors || name}${code === undefined ? '' : ` (${code})`}`;
  } catch {
    return message;
  }
}
