import {expect, test} from 'vitest';
import {parseKrtzAddress} from './krtz-request.ts';

test.each([
  'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
  'http://169.254.170.2/v2/credentials',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/debug/krtz',
  'http://[febf::1]/',
  'http://[fd00:ec2::254]/latest/',
])('%s is refused in words', address => {
  expect(() => parseKrtzAddress(address)).toThrow(/is a link-local address, where clouds serve credentials/);
});

test.each([
  'http://127.0.0.1:8080/debug/krtz',
  'http://10.1.2.3/debug/krtz',
  'http://169.253.0.1/',
  'http://[fd00:ec2::255]/',
  'http://[fec0::1]/',
  'http://istiod.istio-system:15014/debug/krtz',
])('%s may be attached to', address => {
  expect(parseKrtzAddress(address).href).toBe(address);
});
