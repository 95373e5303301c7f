// What webhooks may answer, and what a client then sees. Each scenario has a webhook of its own, chosen by a label.
import type {Script} from './scripted-webhook.ts';

export interface WebhookScenario {
  script: Script;
  mutating?: true;
  /** Fields of the webhook beyond the usual ones. `{dead}` as a url is an address where nothing listens. */
  webhook?: Record<string, unknown>;
  /** Several ConfigMaps, each with this data. */
  data?: Record<string, string>[];
  /** The code of the first request. */
  code: number;
}

const allow: Script = () => ({allowed: true});
const deny: Script = () => ({allowed: false});
const patch = (operations: unknown): Record<string, unknown> => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const conditions = [
  {name: 'first', expression: 'object.data.a == "1"'},
  {name: 'created', expression: 'request.operation == "CREATE"'},
];

export const webhookScenarios: Record<string, WebhookScenario> = {
  'allow-warn': {script: () => ({allowed: true, warnings: ['first', 'second']}), code: 201},
  'deny-plain': {script: deny, code: 400},
  'deny-message': {
    script: () => ({allowed: false, status: {message: 'no'}, warnings: ['careful']}),
    code: 400,
  },
  'deny-code': {
    script: () => ({allowed: false, status: {message: 'no', code: 403, reason: 'Forbidden'}}),
    code: 403,
  },
  'deny-reason': {script: () => ({allowed: false, status: {reason: 'Nope'}}), code: 400},
  'deny-details': {
    script: () => ({
      allowed: false,
      status: {
        message: 'bad',
        code: 422,
        reason: 'Invalid',
        details: {causes: [{field: 'x', message: 'y', reason: 'z'}]},
      },
    }),
    code: 422,
  },
  'deny-as-success': {script: () => ({allowed: false, status: {message: 'no', code: 200}}), code: 400},
  'answers-500': {script: () => ({raw: 'boom', code: 500}), code: 500},
  'answers-404': {script: () => ({raw: 'nothing', code: 404}), code: 500},
  'answers-nothing': {
    script: () => ({raw: '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}'}),
    code: 500,
  },
  'answers-another': {script: () => ({uid: 'x', allowed: true}), code: 500},
  'answers-other-kind': {
    script: () => ({raw: '{"apiVersion":"admission.k8s.io/v1","kind":"Foo","response":{}}'}),
    code: 500,
  },
  'validating-patch': {script: () => patch([]), code: 500},
  'broken-warnings': {script: () => ({allowed: true, warnings: ['a\nb', 'good']}), code: 201},
  dead: {script: allow, webhook: {url: '{dead}'}, code: 500},
  'dead-ignored': {script: allow, webhook: {url: '{dead}', failurePolicy: 'Ignore'}, code: 201},
  slow: {script: () => undefined, webhook: {timeoutSeconds: 1}, code: 500},
  'slow-ignored': {script: () => undefined, webhook: {timeoutSeconds: 1, failurePolicy: 'Ignore'}, code: 201},
  conditions: {
    script: deny,
    webhook: {matchConditions: conditions},
    data: [{a: '1'}, {a: '2'}, {b: '1'}],
    code: 400,
  },
  'conditions-ignored': {
    script: deny,
    webhook: {matchConditions: conditions, failurePolicy: 'Ignore'},
    data: [{b: '1'}, {a: '1'}],
    code: 201,
  },
  'other-namespace': {
    script: deny,
    webhook: {namespaceSelector: {matchLabels: {'kubernetes.io/metadata.name': 'kube-system'}}},
    code: 201,
  },
  'other-scope': {script: deny, webhook: {scope: 'Cluster'}, code: 201},
  'mutating-adds': {
    mutating: true,
    script: () => patch([{op: 'add', path: '/data/added', value: 'x'}]),
    code: 201,
  },
  'mutating-empty': {mutating: true, script: () => patch([]), code: 201},
  'mutating-missing': {mutating: true, script: () => patch([{op: 'remove', path: '/data/zz'}]), code: 500},
  'mutating-object': {mutating: true, script: () => patch({}), code: 500},
  'mutating-type': {mutating: true, script: () => patch([{op: 'add', path: '/data/a', value: 5}]), code: 500},
  'mutating-unknown': {mutating: true, script: () => patch([{op: 'add', path: '/foo', value: 5}]), code: 201},
  'mutating-invalid': {
    mutating: true,
    script: () => patch([{op: 'add', path: '/data/bad~1key', value: 'x'}]),
    code: 422,
  },
  'mutating-denies': {mutating: true, script: deny, code: 400},
  'mutating-without-type': {
    mutating: true,
    script: () => ({allowed: true, patch: Buffer.from('[]').toString('base64')}),
    code: 500,
  },
};

/** Two webhooks that both add a field: the first one is asked again after the second. */
export const reinvocation: Record<string, Script> = {
  'a-again': ({object}) =>
    patch([{op: 'add', path: `/data/a${Object.keys(object?.data ?? {}).length}`, value: 'x'}]),
  'b-once': () => patch([{op: 'add', path: '/data/b', value: 'y'}]),
};

/** Remembers what it was asked. */
export const observer: Record<string, Script> = {observe: allow};

/** Denies deletions. */
export const keeper: Record<string, Script> = {
  keep: ({operation}) => ({allowed: operation !== 'DELETE', status: {message: 'keep it'}}),
};
