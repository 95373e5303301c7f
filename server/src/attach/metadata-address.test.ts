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
  'http://[fd20:ce::254]/',
  'http://100.100.100.200/latest/meta-data/',
  'http://192.0.0.192/latest/',
  'http://168.63.129.16/machine/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[::169.254.169.254]/',
])('%s is refused in words', address => {
  expect(() => parseKrtzAddress(address)).toThrow(/is an address at which clouds serve credentials/);
});

test.each([
  'http://127.0.0.1:8080/debug/krtz',
  'http://10.1.2.3/debug/krtz',
  'http://169.253.0.1/',
  'http://[fd00:ec2::255]/',
  'http://[fec0::1]/',
  'http://[::1]/',
  'http://[64:ff9b::a01:203]/',
  'http://100.100.100.201/',
  'http://istiod.istio-system:15014/debug/krtz',
])('%s may be attached to', address => {
  expect(parseKrtzAddress(address).href).toBe(address);
});
