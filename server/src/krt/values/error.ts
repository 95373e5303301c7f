// The error class of the engine: a code for programs, and a message that says how to fix it.

export type EngineErrorCode =
  | 'key-missing'
  | 'key-type'
  | 'no-item'
  | 'fetch-without-context'
  | 'fetch-outside-run'
  | 'async-formula'
  | 'async-batch'
  | 'async-callback'
  | 'more-than-one'
  | 'key-and-index'
  | 'label-type'
  | 'selector-type'
  | 'namespace-type'
  | 'write-in-formula'
  | 'cycle'
  | 'index-name'
  | 'index-dropped'
  | 'index-of-index'
  | 'index-collection'
  | 'from-string'
  | 'discard'
  | 'reader-missing'
  | 'file'
  | 'foreign-collection'
  | 'unused-input'
  | 'in-use'
  | 'stopped'
  | 'wiring';

export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : {cause});
    this.name = 'EngineError';
    this.code = code;
  }
}
