// formulas.krtscope.dev: formulas as objects of the cluster. One definition gives the CRD, its types and its conversion.
import {z} from 'zod';
import type {PrinterColumn} from '../../runtime/resource/custom-resource-version.ts';
import {defineResource, type ObjectOf} from '../../runtime/resource/define-resource.ts';
import {marks} from '../../runtime/resource/schema-markers.ts';

const text = {
  name: z
    .string()
    .regex(/^[A-Za-z_$][A-Za-z0-9_$]{0,62}$/)
    .describe('The collection that the formula makes.'),
  code: z
    .string()
    .max(200_000)
    .describe('One expression: (ctx, item) => ..., or (ctx) => ... of a singleton.'),
  input: z.string().max(200).optional().describe('The collection whose rows are its items.'),
  kind: z.enum(['one', 'many', 'singleton']).optional().describe('What it makes of an item.'),
  sources: z
    .array(z.string())
    .max(20)
    .meta(marks({listType: 'set'}))
    .optional()
    .describe('Resources that become sources first, named as kubectl takes them.'),
  params: z
    .record(z.string().max(63), z.unknown())
    .optional()
    .describe(
      'Values of parameters that differ from the defaults in the code: numbers, strings or booleans.',
    ),
};

const apply = z
  .object({
    mode: z
      .enum(['DryRun', 'Apply'])
      .default('DryRun')
      .describe('DryRun: say what would be written, and write nothing.'),
    kinds: z
      .array(z.string().regex(/^([a-z0-9.-]+\/)?v[a-z0-9]+\/[A-Z][A-Za-z0-9]*$/))
      .min(1)
      .max(20)
      .meta(marks({listType: 'set'}))
      .describe('Kinds that rows may have, such as v1/ConfigMap: they are watched and pruned.'),
    force: z.boolean().optional().describe('Take fields that others own.'),
  })
  .describe('Rows are objects that krtscope keeps in the cluster, by server-side apply.');

const spec = z.object({
  ...text,
  apply: apply.optional(),
  suspend: z.boolean().optional().describe('Kept, but no collection.'),
});

const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  lastTransitionTime: z.string(),
  observedGeneration: z.int().optional(),
});

const status = z.object({
  observedGeneration: z.int().optional(),
  revision: z.string().optional(),
  items: z.int().optional(),
  failed: z.int().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        line: z.int().optional(),
        column: z.int().optional(),
        input: z.string().optional(),
      }),
    )
    .optional(),
  applied: z
    .array(
      z.object({
        kind: z.string(),
        namespace: z.string().optional(),
        name: z.string(),
        state: z.string(),
        /** Paths that this formula changed or would change. */
        changes: z.array(z.string()).optional(),
        error: z.string().optional(),
      }),
    )
    .optional(),
  conditions: z
    .array(condition)
    .meta(marks({listType: 'map', listMapKeys: ['type']}))
    .optional(),
});

const columns: PrinterColumn[] = [
  {name: 'Collection', type: 'string', jsonPath: '.spec.name'},
  {name: 'Input', type: 'string', jsonPath: '.spec.input'},
  {name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status'},
  {name: 'Items', type: 'integer', jsonPath: '.status.items'},
  {name: 'Failed', type: 'integer', jsonPath: '.status.failed', priority: 1},
  {name: 'Line', type: 'integer', jsonPath: '.status.errors[0].line', priority: 1},
  {name: 'Error', type: 'string', jsonPath: '.status.errors[0].message'},
  {name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp'},
];

const names = {
  group: 'krtscope.dev',
  kind: 'Formula',
  shortNames: ['fx'],
  categories: ['krtscope'],
} as const;
const description = 'A formula that krtscope keeps as a collection of its graph.';

/** Both versions, converted by a webhook. For clusters where krtscope itself runs, as in the demo. */
export const formulas = defineResource({
  ...names,
  versions: {
    v1alpha1: {
      spec: z.object({
        ...text,
        apply: apply.optional(),
        paused: z.boolean().optional().describe('Kept, but no collection.'),
      }),
      status,
      columns,
      description,
      deprecated: 'krtscope.dev/v1alpha1 Formula is deprecated; use krtscope.dev/v1beta1 Formula',
    },
    v1beta1: {stored: true, spec, status, columns, description},
  },
  hub: 'v1beta1',
  conversions: {
    v1alpha1: {
      toHub: ({spec: {paused, ...rest}, status}) => ({
        spec: {...rest, suspend: paused},
        status,
      }),
      fromHub: ({spec: {suspend, ...rest}, status}) => ({
        spec: {...rest, paused: suspend},
        status,
      }),
    },
  },
});

/** One version that needs no conversion, for clusters where krtscope does not run. */
export const plainFormulas = defineResource({
  ...names,
  versions: {v1beta1: {stored: true, spec, status, columns, description}},
});

export const Formula = formulas.kinds.v1beta1;
export type FormulaObject = ObjectOf<typeof Formula>;
