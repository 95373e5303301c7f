import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));
/** Parts of the frame (app, ui) carry their name in every class; a view's names hold inside it only. */
const views = ['compare', 'connect', 'freshness', 'graph', 'inspector', 'origin', 'overview', 'sheet', 'why'];

function filesOf(folder: string): string[] {
  return readdirSync(join(src, folder)).map(name => `${folder}/${name}`);
}

const read = (file: string) => readFileSync(join(src, file), 'utf8');

/** What stands outside every block. */
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

const sheets = views.flatMap(filesOf).filter(file => file.endsWith('.css'));
const sources = ['app', 'ui', ...views].flatMap(filesOf).filter(file => /\.tsx?$/.test(file));

test('every stylesheet of a view is scoped: its names mean nothing elsewhere', () => {
  const open = sheets.flatMap(file =>
    outermost(read(file))
      .filter(head => !head.startsWith('@scope (') && !head.startsWith('@keyframes'))
      .map(head => `${file}: ${head}`),
  );
  // `said` is the language of sentences, wherever one is told.
  expect(open.filter(one => !one.startsWith('why/sentence.css'))).toEqual([]);
});

test('a stylesheet belongs to one component and is short enough to be read with it', () => {
  for (const file of sheets) {
    const [folder, name] = file.split('/');
    const users = sources.filter(
      source => source.startsWith(`${folder}/`) && read(source).includes(`import './${name}'`),
    );
    expect([file, users.length]).toEqual([file, 1]);
    expect([file, read(file).split('\n').length < 250]).toEqual([file, true]);
  }
});
