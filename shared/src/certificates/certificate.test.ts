// Certificates and base64 against Node's own.
import {X509Certificate} from 'node:crypto';
import fc from 'fast-check';
import {generate} from 'selfsigned';
import {expect, test} from 'vitest';
import {decodeBase64, encodeBase64} from './base64.ts';
import {certificates} from './certificate.ts';

test('base64 reads and writes what Buffer does, for any text', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), text => {
      const base64 = Buffer.from(text, 'utf8').toString('base64');
      expect(encodeBase64(text)).toBe(base64);
      expect(decodeBase64(base64)).toBe(text);
      expect(decodeBase64(base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))).toBe(text);
    }),
  );
  expect(() => decodeBase64('not *base64*')).toThrow('"not *base64*" is not base64');
});

test("a certificate's fields are those that Node reads", async () => {
  const {cert} = await generate(
    [
      {name: 'commonName', value: 'shop.example'},
      {name: 'organizationName', value: 'Größe AG'},
    ],
    {
      keyType: 'ec',
      notBeforeDate: new Date('2026-01-02T03:04:05Z'),
      notAfterDate: new Date('2056-07-08T09:10:11Z'),
      extensions: [
        {
          name: 'subjectAltName',
          altNames: [
            {type: 2, value: 'shop.example'},
            {type: 2, value: '*.shop.example'},
            {type: 7, ip: '10.0.0.7'},
          ],
        },
      ],
    },
  );
  const node = new X509Certificate(cert);
  const [read] = certificates(cert);
  expect(read).toEqual({
    subject: 'CN=shop.example, O=Größe AG',
    issuer: 'CN=shop.example, O=Größe AG',
    names: ['shop.example', '*.shop.example', '10.0.0.7'],
    notBefore: '2026-01-02T03:04:05Z',
    notAfter: '2056-07-08T09:10:11Z',
    serial: expect.stringMatching(/^[0-9a-f]+$/),
  });
  expect(BigInt(`0x${read?.serial}`)).toBe(BigInt(`0x${node.serialNumber}`));
  expect(Date.parse(read?.notAfter ?? '')).toBe(node.validToDate.getTime());
  // As in a Secret, with a chain of two.
  const chain = Buffer.from(`${cert}\n${cert}`).toString('base64');
  expect(certificates(chain)).toEqual([read, read]);
});

test('texts without a certificate give none, and damaged ones say so', async () => {
  for (const text of ['', undefined, null, 'redacted:0123abcd', encodeBase64('hello')])
    expect(certificates(text)).toEqual([]);
  const cut = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
  expect(() => certificates(cut)).toThrow('the certificate is cut off');
  const {cert} = await generate([{name: 'commonName', value: 'x'}], {keyType: 'ec'});
  const bytes = Buffer.from(cert.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
      const damaged = Buffer.from(bytes);
      damaged[at] = value;
      const pem = `-----BEGIN CERTIFICATE-----\n${damaged.toString('base64')}\n-----END CERTIFICATE-----`;
      try {
        expect(certificates(pem)).toHaveLength(1);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }),
  );
});
