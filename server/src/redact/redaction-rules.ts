// The list of what krtscope hides. docs/redaction.md is made from it, and a test runs each example.

export interface RedactionRule {
  id: string;
  /** What it hides, for the page. */
  hides: string;
  /** A manifest, and the path in it that this rule hides. */
  example: string;
  path: string;
}

const pod = (container: string) =>
  `{kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, ${container}}]}}`;
const file = (name: string, text: string) =>
  `{kind: ConfigMap, metadata: {name: web}, data: {${name}: ${JSON.stringify(text)}}}`;

export const redactionRules: readonly RedactionRule[] = [
  {
    id: 'secret-data',
    hides: 'each value in `data` and `stringData` of a Secret, except certificates in `tls.crt` and `ca.crt`',
    example: '{kind: Secret, metadata: {name: db}, data: {user: YWRtaW4=}}',
    path: 'data.user',
  },
  {
    id: 'secret-copy',
    hides: 'annotations of a Secret that begin with `{`: tools keep copies of the object there',
    example: `{kind: Secret, metadata: {name: db, annotations: {backup: '{"data":{}}'}}}`,
    path: 'metadata.annotations.backup',
  },
  {
    id: 'secret-map',
    hides: 'the data of a ConfigMap whose name says secret, credential or password',
    example: '{kind: ConfigMap, metadata: {name: db-credentials}, data: {user: admin}}',
    path: 'data.user',
  },
  {
    id: 'last-applied',
    hides:
      'the annotation `kubectl.kubernetes.io/last-applied-configuration`, which is removed on every kind',
    example:
      "{kind: Pod, metadata: {name: web, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}}}",
    path: 'metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]',
  },
  {
    id: 'name',
    hides:
      'the value under a secret name: environment variable, HTTP header, ConfigMap key, annotation, any field',
    example: pod('env: [{name: DB_PASSWORD, value: hunter2}]'),
    path: 'spec.containers[0].env[0].value',
  },
  {
    id: 'assignment',
    hides:
      'the value of a secret name inside a text: ini, TOML, YAML, JSON, XML, properties, shell, netrc, pgpass, SQL, headers',
    example: file('app.ini', '[db]\npassword = hunter2-Xy9\n'),
    path: 'data[app.ini]',
  },
  {
    id: 'issuer',
    hides:
      'a hexadecimal, random or UUID value that follows the name of a service which issues such tokens, or stands in a variable or ConfigMap key named after one; long random values of variables and ConfigMap keys',
    example: file('ci.txt', 'mattermost bot uses kd83hs8dk2hs7dj3hs8dk2hs7d now'),
    path: 'data[ci.txt]',
  },
  {
    id: 'flag',
    hides:
      'the value of a secret flag in a command, and of the password flags of common programs (`mysql -p…`)',
    example: pod('args: [--api-token, hunter2-Xy9]'),
    path: 'spec.containers[0].args[1]',
  },
  {
    id: 'address',
    hides: 'passwords and tokens in addresses: `scheme://user:password@host` and data source names',
    example: pod('args: ["postgres://app:hunter2@db:5432/shop"]'),
    path: 'spec.containers[0].args[0]',
  },
  {
    id: 'shape',
    hides:
      'secrets with a shape of their own in any text: private keys, JSON web tokens, tokens with known prefixes, password hashes, webhook addresses',
    example: `{kind: Pod, metadata: {name: web}, status: {message: "used ghp_${'a1B2'.repeat(9)} to pull"}}`,
    path: 'status.message',
  },
  {
    id: 'base64',
    hides: 'base64 that decodes to a text with one of these, one level deep',
    example: file('script', Buffer.from('password=hunter2-Xy9 and more').toString('base64')),
    path: 'data.script',
  },
];
