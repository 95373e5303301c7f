// CRDs with right and wrong rules, and the life of objects under rules.
import {z} from 'zod';
import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {sleep} from '../../src/kube/clock.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {defineResource} from '../../src/runtime/resource/define-resource.ts';
import {marks} from '../../src/runtime/resource/schema-markers.ts';
import {
  ask,
  installDefinition,
  pathOf,
  type Reply,
  type Rule,
  type RuleSchema,
  ruledDefinition,
  ruledObject,
} from './rule-server.ts';

const specOf = (schema: RuleSchema): Record<string, RuleSchema> => schema.properties!.spec!.properties!;
const validations = (...rules: Rule[]) => ({'x-kubernetes-validations': rules});

/** Rules with wrong texts, places or options. */
export const ruleMistakes: Record<string, {rules?: Rule[]; change?: (schema: RuleSchema) => void}> = {
  'a message with a line break': {rules: [{rule: 'true', message: 'a\nb'}]},
  'a blank message': {rules: [{rule: 'true', message: ' '}]},
  'an unknown reason': {rules: [{rule: 'true', reason: 'Foo'}]},
  'a field path that is not there': {rules: [{rule: 'true', fieldPath: '.nope'}]},
  'a field path without a dot': {rules: [{rule: 'true', fieldPath: 's'}]},
  'a field path into a list': {rules: [{rule: 'true', fieldPath: '.l[0]'}]},
  'a field path into a map': {rules: [{rule: 'true', fieldPath: ".m['x']"}]},
  'a quoted field path': {rules: [{rule: 'true', fieldPath: ".o['a-b']"}]},
  'a field path with a line break': {rules: [{rule: 'true', fieldPath: '.o\n.x'}]},
  'a message expression of the wrong type': {rules: [{rule: 'true', messageExpression: 'self.i'}]},
  'a message expression with an error': {rules: [{rule: 'true', messageExpression: 'self.zzz'}]},
  'a blank message expression': {rules: [{rule: 'true', messageExpression: ' '}]},
  'an optionalOldSelf without oldSelf': {rules: [{rule: 'true', optionalOldSelf: true}]},
  'a blank rule': {rules: [{rule: '  '}]},
  'the same rule twice': {rules: ['true', 'true']},
  'several mistakes': {rules: ['self.foo', {rule: 'self.i', messageExpression: 'self.i'}, 'self.s.bar()']},
  'oldSelf in an atomic list': {
    change: schema => {
      Object.assign(specOf(schema).l!.items!, validations({rule: 'self == oldSelf'}));
    },
  },
  'oldSelf in a keyed list': {
    change: schema => {
      Object.assign(specOf(schema).lm!.items!, validations({rule: 'self.v >= oldSelf.v'}));
    },
  },
  'a rule on a value without a type': {
    change: schema => {
      specOf(schema).any = {'x-kubernetes-preserve-unknown-fields': true, ...validations({rule: 'true'})};
    },
  },
  'a rule on an int-or-string': {
    change: schema => {
      Object.assign(specOf(schema).ios!, validations({rule: 'self == 5'}));
    },
  },
  'a rule inside allOf': {
    change: schema => {
      specOf(schema).s!.allOf = [validations({rule: 'true'})];
    },
  },
  'a default that breaks a rule': {
    change: schema => {
      Object.assign(specOf(schema).s!, {default: 'x', ...validations({rule: 'self != "x"'})});
    },
  },
  'a field of an object without a schema': {
    change: schema => {
      specOf(schema).free = {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        ...validations({rule: 'self.a == 1'}),
      };
    },
  },
  'an embedded resource': {
    change: schema => {
      specOf(schema).template = {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        ...validations({rule: 'self.metadata.name == "a" && self.kind == "x"'}),
      };
    },
  },
  'labels of the root': {
    change: schema => {
      Object.assign(schema, validations({rule: 'has(self.metadata.labels)'}));
    },
  },
  'the name of the root': {
    change: schema => {
      Object.assign(schema, validations({rule: 'self.metadata.name.size() < 20'}));
    },
  },
};

/** Rules of all kinds at all levels. */
export const livingDefinition = ruledDefinition(
  'livings',
  [
    '!has(self.i) || self.i < 10',
    {
      rule: '!has(self.d) || self.d < 5.0',
      message: ' too big ',
      reason: 'FieldValueForbidden',
      fieldPath: '.d',
    },
    {rule: '!has(self.s) || self.s != "bad"', messageExpression: '"s is " + self.s'},
    {rule: '!has(self.s) || self.s != "bad2"', messageExpression: 'self.l[5]', message: 'fallback'},
    '!has(self.m) || self.m["x"] == "y"',
    '!has(self.ios) || self.ios > 3',
    {rule: '!has(self.o) || self.o.x == "x"', message: 'o.x must be x', fieldPath: '.o.x'},
  ],
  schema => {
    const spec = specOf(schema);
    Object.assign(
      spec.s!,
      validations({rule: 'self.size() < 10'}, {rule: 'self == oldSelf', message: 'Value is immutable'}),
    );
    Object.assign(spec.l!, validations({rule: 'self.size() < 3'}));
    Object.assign(spec.m!.additionalProperties as RuleSchema, validations({rule: 'self != "z"'}));
    Object.assign(
      spec.lm!.items!,
      validations(
        {rule: 'self.v < 10', reason: 'FieldValueRequired'},
        {rule: 'self.v >= oldSelf.v'},
        {
          rule: '!oldSelf.hasValue() || self.v >= oldSelf.value().v',
          optionalOldSelf: true,
          message: 'may not shrink',
        },
      ),
    );
    Object.assign(spec.i!, validations({rule: 'self != 7', reason: 'FieldValueDuplicate'}));
    Object.assign(
      schema,
      validations(
        {rule: 'self.metadata.name.startsWith("a") && self.kind == "Living"'},
        {rule: '!has(self.status) || !has(self.status.phase) || self.status.phase != "Bad"'},
        {
          rule: 'oldSelf.hasValue() || !has(self.spec.empty)',
          optionalOldSelf: true,
          message: 'empty comes later',
        },
      ),
    );
  },
);

export const newObjects: Record<string, object>[] = [
  {i: 11},
  {d: 6},
  {s: 'bad'},
  {s: 'bad2'},
  {m: {a: 'z'}},
  {m: {x: 'y', a: 'z'}},
  {ios: 'x'},
  {ios: 2},
  {ios: 4},
  {o: {x: 'y'}},
  {o: {}},
  {s: '12345678901'},
  {l: ['a', 'b', 'c']},
  {lm: [{k: 'a', v: 20}, {k: 'b'}]},
  {i: 'x', d: 6},
  {i: 7, s: 'bad', d: 9},
  {empty: ''},
] as unknown as Record<string, object>[];

type Change = (object: KubeObject & {spec: Record<string, unknown>}) => unknown;

/** One after the other, on one object. */
export const changes: [name: string, change: Change, subresource?: string][] = [
  ['an immutable field', ({spec}) => Object.assign(spec, {s: 'no'})],
  ['a smaller value', ({spec}) => Object.assign(spec, {lm: [{k: 'a', v: 3}]})],
  [
    'a new item',
    ({spec}) =>
      Object.assign(spec, {
        lm: [
          {k: 'new', v: 1},
          {k: 'a', v: 5},
        ],
      }),
  ],
  ['a field that may come later', ({spec}) => Object.assign(spec, {empty: ''})],
  ['a field without its immutable one', ({spec}) => Reflect.deleteProperty(spec, 's')],
  ['a bad status', object => Object.assign(object, {status: {phase: 'Bad'}}), '/status'],
  ['a good status', object => Object.assign(object, {status: {phase: 'Good'}}), '/status'],
];

export async function update(
  client: DynamicClient,
  path: string,
  change: Change,
  subresource = '',
): Promise<Reply> {
  const {body} = await client.transport.request<KubeObject & {spec: Record<string, unknown>}>({path});
  change(body);
  return ask(client, {method: 'PUT', path: `${path}${subresource}`, body});
}

/** A stricter rule comes while an object breaks it: other changes of the object are still possible. */
export async function ratchet(client: DynamicClient): Promise<Reply[]> {
  const plural = 'ratchets';
  await installDefinition(client, ruledDefinition(plural, []));
  const path = pathOf(plural);
  const replies = [
    await ask(client, {method: 'POST', path, body: ruledObject(plural, 'old', {s: 'long', i: 1})}),
  ];
  await installDefinition(
    client,
    ruledDefinition(plural, [], schema => {
      Object.assign(specOf(schema).s!, validations({rule: 'self.size() < 3', message: 'too long'}));
    }),
  );
  for (;;) {
    const query = {dryRun: 'All'};
    const refused = await ask(client, {
      method: 'POST',
      path,
      query,
      body: ruledObject(plural, 'new', {s: 'long'}),
    });
    if (refused.code === 422) break;
    await sleep(client.transport.clock, 50);
  }
  for (const more of [{i: 2}, {s: 'longer'}, {s: 'ok'}])
    replies.push(await update(client, pathOf(plural, 'old'), ({spec}) => Object.assign(spec, more)));
  return replies;
}

/** Every rule that `marks()` makes. */
export const marked = defineResource({
  group: 'marks.example.com',
  kind: 'Marked',
  versions: {
    v1: {
      spec: z.object({
        engine: z.enum(['postgres', 'mysql']).meta(marks({immutable: true})),
        size: z
          .int()
          .min(1)
          .meta(marks({immutable: true}))
          .optional(),
        labels: z
          .record(z.string(), z.string().max(5))
          .meta(marks({immutable: true, maxProperties: 3}))
          .optional(),
        parts: z
          .array(
            z
              .object({name: z.string().max(10), count: z.int()})
              .meta(marks({validations: [{rule: 'self.count < 5'}]})),
          )
          .max(5)
          .meta(marks({listType: 'map', listMapKeys: ['name']}))
          .optional(),
        tags: z
          .array(z.string().max(5))
          .max(5)
          .meta(marks({listType: 'set', immutable: true}))
          .optional(),
        port: z
          .any()
          .meta(
            marks({
              intOrString: true,
              validations: [{rule: 'self == "http" || self == 80', message: 'use http'}],
            }),
          )
          .optional(),
        window: z
          .object({from: z.int(), to: z.int()})
          .meta(
            marks({
              validations: [
                {
                  rule: 'self.from <= self.to',
                  messageExpression: '"%d is after %d".format([self.from, self.to])',
                  fieldPath: '.from',
                },
                {rule: 'self.to <= 24', reason: 'FieldValueForbidden'},
                {
                  rule: '!oldSelf.hasValue() || self.to >= oldSelf.value().to',
                  optionalOldSelf: true,
                  message: 'only later',
                },
              ],
            }),
          )
          .optional(),
      }),
    },
  },
});
