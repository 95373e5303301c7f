import {expect, test} from 'vitest';
import {makeRedactor} from './redactor.ts';

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
      query: 'http://me:hunter2@host:80?x=a@b',
    },
  });
  expect(JSON.stringify(map)).not.toContain('hunter2');
  expect(map.data.DATABASE_URL).toMatch(/^postgres:\/\/app:redacted:[0-9a-f]{8}@db:5432\/shop\?a=b$/);
  expect(map.data.plain).toBe('https://host:8080/a@b');
  expect(map.data.query).toMatch(/^http:\/\/me:redacted:[0-9a-f]{8}@host:80\?x=a@b$/);
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
  // The name of a Secret is not a secret.
  expect(container!.args.slice(1)).toEqual(['PASSWORD=$DB_PASSWORD', 'token=$(cat token)', 'key=value']);
});

test.each([
  ['an address', {data: {a: `${'a'.repeat(300_000)} ://`}}],
  ['an address that does not end', {data: {a: `a://b:${'c'.repeat(300_000)}`}}],
  ['an assignment', {data: {a: `${'token'.repeat(60_000)} :// =`}}],
  ['a flag', {spec: {args: [`--${'token'.repeat(60_000)}!`, 'x']}}],
  [
    'a line of YAML',
    {kind: 'ConfigMap', data: {a: `${'password'.repeat(40_000)} ${'token: "'.repeat(40_000)}`}},
  ],
  ['a private key', {kind: 'ConfigMap', data: {a: '-----BEGIN PRIVATE KEY-----'.repeat(10_000)}}],
  ['a JSON web token', {kind: 'ConfigMap', data: {a: 'eyJaaaaaaaa.'.repeat(30_000)}}],
])(
  'a long word that could be the beginning of %s is read once: it would hold up main for minutes',
  (_, object) => {
    // CPU time: on a busy machine the clock counts the work of others.
    const started = process.threadCpuUsage();
    makeRedactor()(object);
    const {user, system} = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(2000);
  },
);

const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.${'hunter2_'.repeat(3)}`;
const PEM = '-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----';
const container = (fields: object) => ({kind: 'Pod', spec: {containers: [fields]}});
const variable = (value: string) => container({env: [{name: 'CONFIG', value}]});
const annotated = (annotations: object) => ({kind: 'Pod', metadata: {annotations}});
const map = (data: object, name = 'settings') => ({kind: 'ConfigMap', metadata: {name}, data});

test.each<[string, object]>([
  ['a JSON web token', variable(JWT)],
  ['a private key', variable(PEM)],
  ['a private key that does not end', variable('-----BEGIN PRIVATE KEY-----\nhunter2')],
  ['a token that says whose it is', variable('use ghp_hunter2hunter2hunter2')],
  ['JSON', variable('{"user": "me", "password": "hunter2\\"hunter2"}')],
  ['the settings of a registry', variable('{"auths": {"host": {"auth": "hunter2"}}}')],
  ['YAML', variable("user: me\ndbPassword: 'hunter2'\n")],
  ['a key of an account', variable('AccountName=a;AccountKey=hunter2')],
  ['a signature in an address', variable('https://host/file?sig=hunter2&x=1')],
  ['a password with an @ in an address', variable('postgres://me:hun@hunter2@host/db')],
  ['a password with a ? that should have been encoded', variable('postgres://me:hun?hunter2@host/db')],
  ['a password with a # that should have been encoded', variable('postgres://me:hun#hunter2@host')],
  ['a token in place of a user', variable('https://hunter2hunter2hunter2@host/repository')],
  [
    'a variable in a shell line',
    container({command: ['sh', '-c', 'export DB_PASS=hunter2 && SIGNING_KEY=hunter2 run']}),
  ],
  ['a header in a command', container({command: ['curl', '-H', 'X-Api-Key: hunter2']})],
  ['the user of curl as two words', container({command: ['curl', '-u', 'me:hunter2']})],
  ['the flag of mysql', container({livenessProbe: {exec: {command: ['mysqladmin', '-phunter2', 'ping']}}})],
  ['the flag of redis', container({command: ['redis-cli', '-a', 'hunter2', 'ping']})],
  ['the flag of redis in a line', container({command: ['sh', '-c', 'redis-cli -a hunter2 ping']})],
  ['a cookie', container({livenessProbe: {httpGet: {httpHeaders: [{name: 'Cookie', value: 'hunter2'}]}}})],
  ['an annotation by its name', annotated({'example.com/token': 'hunter2'})],
  [
    'an annotation by what is in it',
    annotated({'example.com/config': '{"password":"hunter2"}', jwt: JWT, pem: PEM}),
  ],
  ['a header in an annotation', annotated({'example.com/header': 'Bearer hunter2hunter2'})],
  [
    'a copy of a Secret that another tool keeps',
    {kind: 'Secret', metadata: {annotations: {copy: '{"data":{"a":"hunter2"}}'}}},
  ],
  ['a file of a ConfigMap by its name', map({password: 'hunter2', 'api-token': 'hunter2'})],
  [
    'a line in a file of a ConfigMap',
    map({'a.properties': 'db.password=hunter2', 'b.yaml': 'users:\n- token: hunter2'}),
  ],
  ['a ConfigMap that should be a Secret', map({a: 'hunter2'}, 'db-credentials')],
  ['a field by its name', {kind: 'Database', spec: {adminPassword: 'hunter2', auth: {token: 'hunter2'}}}],
  ['what a program said last', {kind: 'Pod', status: {message: 'no login with password=hunter2'}}],
])('a secret is found in %s', (_, object) => {
  const text = JSON.stringify(makeRedactor()(object));
  expect(text).not.toContain('hunter2');
  expect(text).toContain('redacted:');
});

test.each<[string, object]>([
  ['where a secret comes from', variable('password: $PASSWORD')],
  ['a key that has no value of its own', variable('password:\n  secretKeyRef: a')],
  [
    'words that end like it',
    map({a: 'bypass=1 monkey=2 tokenTTL: 5s passwordFile: /a', keys: 'b', author: 'c'}),
  ],
  ['a name of a Secret', {kind: 'Pod', spec: {secretName: 'a', imagePullSecrets: [{name: 'a'}]}}],
  ['what is no text', {kind: 'Pod', spec: {automountServiceAccountToken: true, token: ''}}],
  ['an address without a user', variable('https://host:8080/a@b')],
  ['a port, and an @ in the query', variable('http://host:80?x=a@b')],
  ['a port, and an @ in the fragment', variable('http://host:80#a@b')],
  ['an @ and a colon in the query', variable('http://host?x=a:b@c')],
  ['the port of mysql', container({command: ['mysql', '-P', '3306', '-p', '-a', 'x']})],
])('%s stays as it is', (_, object) => {
  expect(makeRedactor()(structuredClone(object))).toEqual(object);
});

test('an object that is nested deeper than the stack is redacted like any other', () => {
  const nested = JSON.parse(
    `{"kind":"Deep","spec":${'{"a":'.repeat(9000)}{"token":"hunter2"}${'}'.repeat(9000)}}`,
  );
  const text = JSON.stringify(makeRedactor()(nested));
  expect(text).not.toContain('hunter2');
  expect(text).toContain('"token":"redacted:');
});

test('the certificates of a Secret stay readable, its keys do not', () => {
  const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n').toString(
    'base64',
  );
  const key = Buffer.from('-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n').toString(
    'base64',
  );
  const data = {'tls.crt': certificate, 'ca.crt': certificate, 'tls.key': key};
  const redacted = makeRedactor()({kind: 'Secret', data: {...data}});
  expect(redacted.data).toEqual({'tls.crt': certificate, 'ca.crt': certificate, 'tls.key': hidden});
  const mixed = makeRedactor()({
    kind: 'Secret',
    data: {
      'tls.crt': Buffer.concat([Buffer.from(certificate, 'base64'), Buffer.from(key, 'base64')]).toString(
        'base64',
      ),
    },
  });
  expect(mixed.data['tls.crt']).toEqual(hidden);
});

test('a secret in any field of a custom resource is found by its shape', () => {
  const object = {
    kind: 'Widget',
    spec: {deep: [{notes: `use ghp_${'a1B2'.repeat(9)} here`}]},
    status: {lastError: 'dial me:hunter2@tcp(db:3306)/x'},
  };
  const text = JSON.stringify(makeRedactor()(object));
  expect(text).not.toContain('a1B2');
  expect(text).not.toContain('hunter2');
});

test('the password of a command is hidden at its place; the same word elsewhere stays', () => {
  const command = ['rabbitmqctl', '-n', 'shop', 'add_user', 'shop', 'shop'];
  const redact = makeRedactor();
  const pod = redact({kind: 'Pod', spec: {containers: [{command}]}});
  expect(pod.spec.containers[0]?.command.slice(0, 5)).toEqual([
    'rabbitmqctl',
    '-n',
    'shop',
    'add_user',
    'shop',
  ]);
  expect(pod.spec.containers[0]?.command[5]).toMatch(/^redacted:/);
});

test('lists of passwords are hidden; names of Secrets in lists stay', () => {
  const spec = {
    passwords: ['hunter2', '$(PASSWORD)'],
    tokens: {alice: '0f1e2d3c4b5a69788796a5b4c3d2e1f0', max: '7'},
  };
  const hidden = makeRedactor()({kind: 'App', spec: {...spec, secrets: ['db', 'cache']}}).spec;
  expect(hidden.passwords).toEqual([expect.stringMatching(/^redacted:/), '$(PASSWORD)']);
  expect(hidden.tokens).toEqual({alice: expect.stringMatching(/^redacted:/), max: '7'});
  expect(hidden.secrets).toEqual(['db', 'cache']);
});

test('the name of an object stays, whatever it looks like', () => {
  const names = ['orders.18e9407f81873781', 'pk-live-1', `sk-${'a1b2'.repeat(10)}`];
  for (const name of names) {
    const event = {kind: 'Event', metadata: {name}, reason: 'x', note: `see orders.18e9407f81873781`};
    expect(makeRedactor()(structuredClone(event))).toEqual(event);
  }
});
