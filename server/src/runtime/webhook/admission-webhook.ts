// Admission webhooks of a program: `validating` refuses objects, `defaulting` completes them.

import type {KubeObject} from '../../kube/object.ts';
import type {Logger} from '../log/logger.ts';
import type {Kind} from '../scheme/kind.ts';

/** What a handler knows beside the object. */
export interface AdmissionContext {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly namespace: string;
  readonly name: string;
  /** The write will not be stored: a handler must have no effect outside. */
  readonly dryRun: boolean;
  readonly user: {readonly username: string; readonly groups: readonly string[]};
  /** Set for writes of a subresource, such as `status`. */
  readonly subresource: string;
  readonly log: Logger;
  /** Shown to the client with the response. Keep it under 256 characters. */
  warn(text: string): void;
}

/** A text refuses the write and is shown to the client. Nothing allows it. */
export type Refusal = string | undefined;

export interface ValidatingHandlers<T extends KubeObject> {
  create?(object: T, context: AdmissionContext): Refusal | Promise<Refusal>;
  update?(object: T, old: T, context: AdmissionContext): Refusal | Promise<Refusal>;
  delete?(old: T, context: AdmissionContext): Refusal | Promise<Refusal>;
}

/** Completes a copy of the object: change it, or return another one. The patch is computed from the result. */
export type DefaultingHandler<T extends KubeObject> = (
  object: T,
  context: AdmissionContext,
) => T | undefined | Promise<T | undefined>;

/** Refuses a write with a code of its own. Throw it from a handler; a returned text means code 403. */
export class AdmissionDeniedError extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(message: string, options: {code?: number; reason?: string} = {}) {
    super(message);
    this.code = options.code ?? 403;
    this.reason = options.reason ?? (this.code === 403 ? 'Forbidden' : 'Invalid');
  }
}

export interface LabelSelectorOptions {
  matchLabels?: Readonly<Record<string, string>>;
  matchExpressions?: readonly {
    key: string;
    operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    values?: readonly string[];
  }[];
}

export interface AdmissionWebhookOptions {
  /** Default: Fail, which refuses writes while no replica answers. */
  failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** 1 to 30. Default: 10. */
  timeoutSeconds?: number | undefined;
  objectSelector?: LabelSelectorOptions | undefined;
  namespaceSelector?: LabelSelectorOptions | undefined;
  /** CEL over `object`, `oldObject` and `request`. The webhook is called if all of them hold. */
  matchConditions?: readonly {name: string; expression: string}[] | undefined;
  /** NoneOnDryRun, if a handler has effects outside when `dryRun` is false. Default: None. */
  sideEffects?: 'None' | 'NoneOnDryRun' | undefined;
  matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  /** For `defaulting`: asked again if a later webhook changed the object. Default: Never. */
  reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
}

/** A webhook that is not served yet. Give it to `serveWebhooks`. */
export interface AdmissionWebhook {
  readonly type: 'validating' | 'defaulting';
  readonly kind: Kind;
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  readonly options: AdmissionWebhookOptions;
  /** Runs the handler. A returned object replaces the given one. */
  run(
    object: KubeObject | undefined,
    old: KubeObject | undefined,
    context: AdmissionContext,
  ): Promise<Refusal | KubeObject>;
}

/** Checks objects before they are stored. Only operations with a handler call the webhook. */
export function validating<T extends KubeObject>(
  kind: Kind<T>,
  handlers: ValidatingHandlers<T>,
  options: AdmissionWebhookOptions = {},
): AdmissionWebhook {
  const operations = (['create', 'update', 'delete'] as const).filter(name => handlers[name] !== undefined);
  if (operations.length === 0)
    throw new Error(`validating(${kind.kind}) has no handler; give it create, update or delete`);
  return {
    type: 'validating',
    kind,
    options,
    operations: operations.map(name => name.toUpperCase() as 'CREATE' | 'UPDATE' | 'DELETE'),
    async run(object, old, context) {
      const answer =
        context.operation === 'CREATE'
          ? await handlers.create?.(object as T, context)
          : context.operation === 'UPDATE'
            ? await handlers.update?.(object as T, old as T, context)
            : await handlers.delete?.(old as T, context);
      return answer ?? undefined;
    },
  };
}

/** Completes objects before they are validated and stored, on create and update. */
export function defaulting<T extends KubeObject>(
  kind: Kind<T>,
  handler: DefaultingHandler<T>,
  options: AdmissionWebhookOptions = {},
): AdmissionWebhook {
  return {
    type: 'defaulting',
    kind,
    options,
    operations: ['CREATE', 'UPDATE'],
    async run(object, _old, context) {
      const copy = structuredClone(object) as T;
      return (await handler(copy, context)) ?? copy;
    },
  };
}
