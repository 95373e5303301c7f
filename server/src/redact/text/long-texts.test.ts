// Texts of 100 KB that repeat the beginning of a rule. A rule that reads them more than once at each place takes minutes, and the
// test runs into its timeout.
import {expect, test} from 'vitest';
import {makeRedactor} from '../redactor.ts';

const beginnings = [
  'a',
  'password ',
  'user a ',
  'user a >',
  'user a on >b ~',
  '"a" "',
  '\\"a\\":\\"',
  '\\',
  '<a ',
  '<key>a</key>',
];
const more = [
  '["a"] = ',
  'login=a:',
  'echo a ',
  'key=a ',
  'a.b-c_d ',
  '-p ',
  'auth a:b ',
  'aB3',
  'define("a",',
  'Credentials(a,',
];
const flags = [
  '-u a ',
  ' -u a -p',
  'sed s/pass/',
  'http://a/hook/',
  'https://a/?a=b&',
  'tokens:\n- a\n',
  'variable "token" {',
  ':pserver:a:',
  'log in with a / ',
  'set $token ',
  'send "',
  'AKIAAAAAAAAAAAAAAAAA ',
  'curl -b a=',
  '${A:-',
  'foo.bar(',
  'A bc ',
  'header: ',
  'net use a b ',
  ':a-b ',
  '(def key ',
  'a,token\n',
  'YWRtaW46',
];
const code = [
  'get("token", "',
  'setToken("a" ',
  'token: str = ',
  'token || ',
  'password for a:',
  'password for ',
  'SET PASSWORD FOR a = ',
  'LoginModule user_a="',
  '*:a:',
  'jwt.sign(a, "',
  '"a:b" "',
  ' -u a1',
  ' -u a1:',
  'PASS - ',
  'root / ',
  'Bearer aaaaaaaa b ',
  '.token=',
  ' --value SecureString ',
  ' --password-file=<(echo ',
  'token = f(',
  'token "a" ',
  'hmac(',
  'if token == "',
  'kind: Secret\ndata:\n  a: b\n',
  'kind: Secret "data": {"a": "b" ',
  'token:\n  a\n',
  'token = <<A\n',
  '[tokens]\na = b\n',
  'value: a\nname: token\n',
  'value="a" name="token" ',
  '"token": {"value": "a" ',
  '"tokens": ["a", ',
  '<token><![CDATA[',
  'put a/b/token ',
  '| token |\n',
  'LS0tLS1CRUdJTiBQUklWQVRF',
  'import a\n',
  "'",
];
const last = ['token is ', 'a: |\n', 'chpasswd a:b\n', '"--a", ', '<<<', '((((', '- '];

test.each([...beginnings, ...more, ...flags, ...code, ...last])(
  'a text that repeats %j is read once',
  beginning => {
    const text = `${beginning.repeat(Math.floor(100_000 / beginning.length))} password=hunter2`;
    const redact = makeRedactor();
    expect(JSON.stringify(redact({kind: 'Note', spec: {text}})).length).toBeGreaterThan(0);
    expect(redact({kind: 'Pod', spec: {command: ['sh', '-c', `mysql ${text}`]}}).kind).toBe('Pod');
  },
);
