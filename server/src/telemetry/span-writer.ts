// The few operations on spans that the assembler needs. span-export.ts implements them with the official packages.

export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanStart {
  name: string;
  /** Milliseconds since 1970, with a fraction. */
  start: number;
  attributes: SpanAttributes;
  parent?: WrittenSpan | undefined;
  links?: readonly WrittenSpan[];
  /** A request to another process. */
  client?: boolean;
}

export interface WrittenSpan {
  /** False if sampling left the trace out. */
  readonly isRecording: boolean;
  setAttributes(attributes: SpanAttributes): void;
  /** `error` marks the span as failed. */
  end(at: number, error?: string): void;
}

export interface SpanWriter {
  start(span: SpanStart): WrittenSpan;
}
