import {expect, test} from 'vitest';
import {makeRedactor} from './redact.ts';

const secret = (password: string) => ({
  kind: 'Secret',
  metadata: {name: 'a'},
  data: {password},
  stringData: {raw: password},
});

test('every value of a Secret is replaced, and a change stays visible', () => {
  const redact = makeRedactor();
  const one = redact(secret('aHVudGVyMg=='));
  expect(JSON.stringify(one)).not.toContain('aHVudGVyMg==');
  expect(one.data.password).toMatch(/^redacted:[0-9a-f]{8}$/);
  expect(redact(secret('aHVudGVyMg==')).data.password).toBe(one.data.password);
  expect(redact(secret('aHVudGVyMw==')).data.password).not.toBe(one.data.password);
});

test('two runs of krtscope give different hashes, so that a guess cannot be checked later', () => {
  expect(makeRedactor()(secret('x')).data.password).not.toBe(makeRedactor()(secret('x')).data.password);
});

test('an environment value whose name looks secret is replaced at any depth, others stay', () => {
  const env = () => [
    {name: 'DB_PASSWORD', value: 'p'},
    {name: 'LOG_LEVEL', value: 'debug'},
    {name: 'API_KEY', valueFrom: {secretKeyRef: {name: 's', key: 'k'}}},
  ];
  const pod = makeRedactor()({kind: 'Pod', spec: {containers: [{env: env()}]}});
  expect(pod.spec.containers[0]?.env).toEqual([
    {name: 'DB_PASSWORD', value: expect.stringMatching(/^redacted:/)},
    {name: 'LOG_LEVEL', value: 'debug'},
    {name: 'API_KEY', valueFrom: {secretKeyRef: {name: 's', key: 'k'}}},
  ]);
  const deployment = makeRedactor()({
    kind: 'Deployment',
    spec: {template: {spec: {initContainers: [{env: env()}]}}},
  });
  expect(JSON.stringify(deployment)).toContain('"DB_PASSWORD","value":"redacted:');
});

test('the last applied configuration, a second copy of the object, is dropped on every kind', () => {
  const annotations = {'kubectl.kubernetes.io/last-applied-configuration': '{"data":"x"}', keep: 'y'};
  const map = makeRedactor()({kind: 'ConfigMap', metadata: {annotations}, data: {a: 'b'}});
  expect(map).toEqual({kind: 'ConfigMap', metadata: {annotations: {keep: 'y'}}, data: {a: 'b'}});
});

test('it is dropped from the Pod template inside another object, too', () => {
  const annotations = {'kubectl.kubernetes.io/last-applied-configuration': '{"data":"x"}', keep: 'y'};
  const set = makeRedactor()({kind: 'ReplicaSet', spec: {template: {metadata: {annotations}}}});
  expect(set.spec.template.metadata.annotations).toEqual({keep: 'y'});
});

test('an item of a list, which says no kind, is redacted by the kind of its list', () => {
  const item = makeRedactor()({metadata: {name: 'a'}, data: {password: 'x'}}, 'Secret');
  expect(item.data.password).toMatch(/^redacted:/);
});

const hidden = expect.stringMatching(/^redacted:[0-9a-f]{8}$/);

test('names of secrets are known in the forms people use', () => {
  const env = ['DB_PASS', 'DB_PWD', 'SENTRY_DSN', 'BASIC_AUTH', 'PORT'].map(name => ({name, value: 'x'}));
  const pod = makeRedactor()({kind: 'Pod', spec: {containers: [{env}]}});
  expect(pod.spec.containers[0]!.env.map(({value}) => value)).toEqual([hidden, hidden, hidden, hidden, 'x']);
});

test('the password inside an address is replaced wherever it stands, the rest stays readable', () => {
  const map = makeRedactor()({
    kind: 'ConfigMap',
    metadata: {annotations: {url: 'see https://me:hunter2@host/path'}},
    data: {
      DATABASE_URL: 'postgres://app:hunter2@db:5432/shop?a=b',
      plain: 'https://host:8080/a@b',
      list: '-http://me:hunter2@host',
    },
  });
  expect(JSON.stringify(map)).not.toContain('hunter2');
  expect(map.data.DATABASE_URL).toMatch(/^postgres:\/\/app:redacted:[0-9a-f]{8}@db:5432\/shop\?a=b$/);
  expect(map.data.plain).toBe('https://host:8080/a@b');
});

test('what follows a flag of such a name is replaced in commands, arguments and shell lines', () => {
  const pod = makeRedactor()({
    kind: 'Pod',
    spec: {
      containers: [
        {
          command: ['app', '--token', 'hunter2', '--port', '80'],
          args: ['--db-password=hunter2', '--api-key', '--verbose', 'sh -c "run --secret hunter2 --quiet"'],
          livenessProbe: {httpGet: {httpHeaders: [{name: 'Authorization', value: 'Bearer hunter2'}]}},
        },
      ],
    },
  });
  const [container] = pod.spec.containers;
  expect(JSON.stringify(pod)).not.toContain('hunter2');
  expect(container!.command).toEqual(['app', '--token', hidden, '--port', '80']);
  expect(container!.args[0]).toMatch(/^--db-password=redacted:/);
  expect(container!.args.slice(1, 3)).toEqual(['--api-key', '--verbose']);
  expect(container!.args[3]).toMatch(/^sh -c "run --secret redacted:[0-9a-f]{8} --quiet"$/);
});

test('a secret that is assigned inside a text is replaced: in variables, shell lines, addresses and probes', () => {
  const pod = makeRedactor()({
    kind: 'Pod',
    metadata: {annotations: {url: 'https://host/hook?token=hunter2&a=1'}},
    spec: {
      containers: [
        {
          env: [
            {name: 'CONNECTION', value: 'Server=db;Password=hunter2;Encrypt=true'},
            {name: 'JDBC', value: 'jdbc:mysql://db/shop?user=app&password=hunter2'},
            {name: 'HEADER', value: 'Authorization: Bearer hunter2hunter2'},
          ],
          command: ['sh', '-c', 'export DB_PASSWORD=hunter2; curl -u app:hunter2 http://host'],
          args: ['api_key=hunter2', 'PASSWORD=$DB_PASSWORD', 'token=$(cat token)', 'key=value'],
          readinessProbe: {httpGet: {path: '/ready?api_key=hunter2'}},
        },
      ],
    },
  });
  const [container] = pod.spec.containers;
  expect(JSON.stringify(pod)).not.toContain('hunter2');
  expect(container!.env[0]!.value).toMatch(/^Server=db;Password=redacted:[0-9a-f]{8};Encrypt=true$/);
  expect(container!.env[1]!.value).toMatch(
    /^jdbc:mysql:\/\/db\/shop\?user=app&password=redacted:[0-9a-f]{8}$/,
  );
  expect(container!.command[2]).toMatch(
    /^export DB_PASSWORD=redacted:[0-9a-f]{8}; curl -u app:redacted:[0-9a-f]{8} http:\/\/host$/,
  );
  // Where a secret comes from is none.
  expect(container!.args.slice(1)).toEqual(['PASSWORD=$DB_PASSWORD', 'token=$(cat token)', 'key=value']);
});

test.each([
  ['an address', {data: {a: `${'a'.repeat(300_000)} ://`}}],
  ['an address that does not end', {data: {a: `a://b:${'c'.repeat(300_000)}`}}],
  ['an assignment', {data: {a: `${'token'.repeat(60_000)} :// =`}}],
  ['a flag', {spec: {args: [`--${'token'.repeat(60_000)}!`, 'x']}}],
])(
  'a long word that could be the beginning of %s is read once: it would hold up main for minutes',
  (_, object) => {
    const started = performance.now();
    makeRedactor()(object);
    expect(performance.now() - started).toBeLessThan(2000);
  },
);
