import {readdirSync, readFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));
/** Parts of the frame have their name in every class. A view's class names apply inside it only. */
const frame = ['app', 'ui'];

const files = readdirSync(src, {recursive: true, encoding: 'utf8'});

const read = (file: string) => readFileSync(join(src, file), 'utf8');

/** The text outside every block. */
function outermost(css: string): string[] {
  const heads: string[] = [];
  let depth = 0;
  let head = '';
  for (const char of css.replace(/\/\*[\s\S]*?\*\//g, '')) {
    if (char === '{' && depth++ === 0) heads.push(head.trim());
    else if (char === '}' && --depth === 0) head = '';
    else if (depth === 0) head += char;
  }
  return heads;
}

const sheets = files.filter(file => file.endsWith('.css') && !frame.includes(file.split('/')[0]!));
const sources = files.filter(file => /\.tsx?$/.test(file));

test('every stylesheet of a view is scoped: its names mean nothing elsewhere', () => {
  const open = sheets.flatMap(file =>
    outermost(read(file))
      .filter(head => !head.startsWith('@scope (') && !head.startsWith('@keyframes'))
      .map(head => `${file}: ${head}`),
  );
  // `said` styles sentences wherever they appear.
  expect(open.filter(one => !one.startsWith('why/answer/sentence.css'))).toEqual([]);
});

test('a stylesheet belongs to one component and is short enough to be read with it', () => {
  expect(sheets).toContain('lab/editor/code-editor.css');
  for (const file of sheets) {
    const users = sources.filter(
      source => dirname(source) === dirname(file) && read(source).includes(`import './${basename(file)}'`),
    );
    expect([file, users.length]).toEqual([file, 1]);
    expect([file, read(file).split('\n').length < 250]).toEqual([file, true]);
  }
});
