import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterAll, expect, test} from 'vitest';
import {ownDocuments} from '../testing-documents.ts';
import {isSavedProgramFile, readSavedPrograms} from './saved-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-saved-'));
afterAll(() => rmSync(folder, {recursive: true}));

const shop = JSON.stringify(ownDocuments.shop);
const after = JSON.stringify(ownDocuments.after);
const LOG = '2026-11-17T18:01:00.000000Z\tinfo\tads\ta line\n';

/** The archive that tar makes of these files. */
function tarOf(name: string, files: Record<string, string>): Buffer {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), {recursive: true});
    writeFileSync(join(root, path), text);
  }
  execFileSync('tar', ['-czf', `${root}.tgz`, '-C', root, '.']);
  return readFileSync(`${root}.tgz`);
}

test('documents in order, compressed or not, with their log', () => {
  const [program, ...others] = readSavedPrograms([
    {name: 'shop.json.gz', bytes: gzipSync(shop)},
    {name: 'after.json', bytes: Buffer.from(after)},
    {name: 'istiod.log', bytes: Buffer.from(LOG)},
  ]);
  expect(others).toEqual([]);
  expect(program?.name).toBe('shop.json.gz');
  expect(program?.documents.map(({text}) => text)).toEqual([shop, after]);
  expect(program?.logs.map(({name}) => name)).toEqual(['istiod.log']);
});

test('a bug report: one program for each Pod, with its own log and nothing else', () => {
  const long = `istio/istio-system/istiod-${'x'.repeat(110)}/debug/krtz`;
  const bytes = tarOf('report', {
    'bug-report/istio/istio-system/istiod-1/debug/krtz': shop,
    'bug-report/istio/istio-system/istiod-1/discovery.log': LOG,
    'bug-report/istio/istio-system/istiod-2/debug/krtz': after,
    'bug-report/istio/istio-system/istiod-2/debug/configz': '[{"kind": "Gateway"}]',
    'bug-report/proxies/shop/cart/proxy.log': LOG,
    'bug-report/cluster/nodes.json': '[]',
    [long]: shop,
  });
  const programs = readSavedPrograms([{name: 'bug-report.tgz', bytes}]);
  expect(
    programs
      .map(({name, documents, logs}) => [name.slice(0, 20), documents.length, logs.length])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  ).toEqual([
    ['istiod-1', 1, 1],
    ['istiod-2', 1, 0],
    ['istiod-xxxxxxxxxxxxx', 1, 0],
  ]);
});

test('a zip archive', () => {
  // Python writes the archive: the reader must not only read what it could have written.
  const path = join(folder, 'report.zip');
  execFileSync('python3', [
    '-c',
    'import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED)\nz.writestr("istio/istio-system/istiod-1/debug/krtz", sys.argv[2])\nz.writestr("istio/istio-system/istiod-1/discovery.log", sys.argv[3])\nz.close()',
    path,
    shop,
    LOG,
  ]);
  const [program] = readSavedPrograms([{name: 'report.zip', bytes: readFileSync(path)}]);
  expect(program).toMatchObject({name: 'istiod-1', documents: [{text: shop}]});
  expect(Buffer.from(program?.logs[0]?.bytes ?? []).toString()).toBe(LOG);
});

test.each([
  ['a log alone', 'istiod.log', Buffer.from(LOG), 'istiod.log has no krtz document, only a log'],
  ['half a gzip', 'shop.json.gz', gzipSync(shop).subarray(0, 60), 'shop.json.gz cannot be decompressed'],
  ['an archive without one', 'other.tgz', undefined, 'other.tgz has no krtz document'],
  ['half a tar', 'half.tar', Buffer.from([]), 'half.tar has no krtz document'],
])('%s is refused in words', (_, name, given, words) => {
  const bytes = given ?? tarOf('other', {'a/b.json': '{}'});
  expect(() => readSavedPrograms([{name, bytes}])).toThrow(words);
});

test('a recording is not taken for a saved program', () => {
  expect(isSavedProgramFile({name: 'shop.krtrec', bytes: gzipSync('x')})).toBe(false);
  expect(isSavedProgramFile({name: 'shop.json', bytes: Buffer.from(shop)})).toBe(true);
});
