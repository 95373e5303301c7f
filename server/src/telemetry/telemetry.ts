// OpenTelemetry traces of batches and reconciles. Off unless an OTLP endpoint is set in the environment; the official
// packages are loaded only then.
import type {ControllerFact} from '@krtscope/shared/programs/program-facts.ts';
import type {BatchSpan} from '../engine/link/span-facts.ts';

/** Takes the facts of spans. Never throws and never waits. */
export interface Telemetry {
  /** The batches of a session's engine process: JSON of `BatchSpan[]`. */
  takeBatches(session: string, batches: string): void;
  /** The steps of controllers, in order. */
  takeFacts(program: string, facts: readonly ControllerFact[]): void;
  /** Sends what waits, for at most a second. */
  stop(): Promise<void>;
}

type Environment = Record<string, string | undefined>;

/** The endpoint of traces; undefined if tracing is off. */
export function tracesEndpoint(env: Environment): string | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined;
  if (env.OTEL_TRACES_EXPORTER?.trim() === 'none') return undefined;
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  return endpoint === '' ? undefined : endpoint;
}

/** Undefined if tracing is off, or if the packages cannot be loaded. */
export async function startTelemetry(
  env: Environment,
  version: string,
  log: (line: string) => void,
): Promise<Telemetry | undefined> {
  const endpoint = tracesEndpoint(env);
  if (endpoint === undefined) return undefined;
  try {
    const [{createSpanExport}, {TraceAssembler}] = await Promise.all([
      import('./span-export.ts'),
      import('./trace-assembler.ts'),
    ]);
    const spanExport = createSpanExport(env, version, log);
    const assembler = new TraceAssembler(spanExport.writer);
    log(`OpenTelemetry: traces are sent to ${withoutCredentials(endpoint)}`);
    return {
      takeBatches(session, text) {
        if (spanExport.isOff) return;
        for (const batch of JSON.parse(text) as BatchSpan[]) assembler.takeBatch(session, batch);
      },
      takeFacts(program, facts) {
        if (!spanExport.isOff) assembler.takeFacts(program, facts);
      },
      async stop() {
        assembler.stop();
        await spanExport.stop();
      },
    };
  } catch (error) {
    log(`OpenTelemetry is off: ${(error as Error).message}`);
    return undefined;
  }
}

function withoutCredentials(endpoint: string): string {
  try {
    const url = new URL(endpoint);
    return `${url.origin}${url.pathname}`;
  } catch {
    return 'the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT';
  }
}
