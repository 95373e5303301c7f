// Formula files: written text reads back as typed, and a change leaves the rest of the file alone.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {compileFormula} from '../../../formula/compile/formula-compiler.ts';
import {readFormulaFile, writeFormulaFile} from './formula-file.ts';
import type {FormulaText} from './formula-store.ts';

const formula = (code: string): FormulaText => ({name: 'F', code, input: 'Pods'});
const readBack = async (text: FormulaText, old?: string) =>
  readFormulaFile(text.name, await writeFormulaFile(text, old));

test.each([
  '(ctx, pod) => 1;',
  '(ctx, pod) => 1;;;\n',
  '(ctx, pod) => 1 // the end',
  '(ctx, pod) => 1; // the end',
  '(ctx, pod) => 1 // one, two,',
  '(ctx, pod) => 1 /* );\n*/',
  '(ctx, pod) => `a\n// )`',
  '(ctx, pod) => `a`;\r\n',
  '\uFEFF(ctx, pod) => 1',
  '#!/usr/bin/env node\n(ctx, pod) => 1',
  '// above\r\n(ctx, pod) => 1\r\n',
  '  (ctx, pod) => 1  ',
  '<T>(ctx: Context, pod: T) => 1 as unknown as number;',
  '(ctx, pod) => 1 // a\u2028;',
  'function (ctx, pod) { return 1; }',
])('%j reads back as typed, in a new file and in an old one', async code => {
  expect(await readBack(formula(code))).toEqual({...formula(code), revision: expect.any(String)});
  for (const old of ['(ctx, pod) => 2', '(ctx, pod) => 2; // old']) {
    const before = await writeFormulaFile(formula(old));
    expect((await readBack(formula(code), before)).code).toBe(code);
  }
});

test('thousands of generated formulas read back as typed', async () => {
  const line = fc.stringMatching(/^[ -~]*$/, {maxLength: 12});
  const trivia = fc
    .array(
      fc.oneof(
        fc.constantFrom(' ', '\t', '\n', '\r\n', '\uFEFF', '\u2028', '\u00A0'),
        line.map(text => `//${text}\n`),
        line.map(text => `/*${text.replaceAll('*/', '')}*/`),
      ),
      {maxLength: 4},
    )
    .map(parts => parts.join(''));
  const text = fc.string({unit: 'binary', maxLength: 12});
  const value = fc.oneof(
    text.map(one => JSON.stringify(one)),
    text.map(one => `\`${one.replaceAll(/[\\`$]/g, '\\$&')}\``),
    fc.constantFrom('/[,)(]\\/;/', '{a: 1, b: [2, 3]}', '(1, 2)', '1 as number', '`$' + '{1}`'),
  );
  const body = fc.oneof(
    value.map(one => `(${one})`),
    value.map(one => `{ return ${one}; }`),
    value.map(one => `{ return [\n${one}, // ,)\n]; }`),
  );
  const tail = fc.constantFrom('', ';', ';;', '; // c', '// c', '// c,', '/* ; */', ';\n// a\n', '\r\n', ' ');
  const code = fc
    .tuple(trivia, fc.constantFrom('(ctx, pod) => ', '(ctx: Context, pod: {a: 1}) => '), body, trivia, tail)
    .map(parts => parts.join(''));
  const options = fc.record({
    kind: fc.constantFrom('one' as const, 'many' as const, undefined),
    sources: fc.option(fc.array(text, {minLength: 1, maxLength: 2}), {nil: undefined}),
    tests: fc.option(
      fc.array(fc.record({input: text, items: fc.array(fc.jsonValue({maxDepth: 2}), {maxLength: 2})}), {
        minLength: 1,
        maxLength: 2,
      }),
      {nil: undefined},
    ),
  });
  let compiled = 0;
  let file: string | undefined;
  await fc.assert(
    fc.asyncProperty(code, options, async (typed, more) => {
      const isFormula = await compileFormula(typed, 'one', 'Pods').then(
        () => true,
        () => false,
      );
      if (!isFormula) return;
      compiled += 1;
      const stored = {...formula(typed), ...more, kind: more.kind === 'one' ? undefined : more.kind};
      file = await writeFormulaFile(stored, compiled % 2 === 0 ? file : undefined);
      expect(await readFormulaFile('F', file)).toEqual({...stored, revision: expect.any(String)});
    }),
    {numRuns: 3000},
  );
  expect(compiled).toBeGreaterThan(2000);
}, 120_000);

test('a change of one field leaves the rest of the file alone', async () => {
  const file = `#!/usr/bin/env node\r\n// mine\r\nexport default formula({\r\n  input: 'Pods', // why\r\n}, (ctx, pod) => 1,\r\n);\r\n// below\r\n`;
  const stored = await readFormulaFile('F', file);
  expect(stored).toMatchObject({input: 'Pods', code: '(ctx, pod) => 1'});
  expect(await writeFormulaFile({...stored, code: '(ctx, pod) => 2'}, file)).toBe(
    file.replace('=> 1', '=> 2'),
  );
  expect(await writeFormulaFile({...stored, input: 'Nodes'}, file)).toBe(
    file.replace("{\r\n  input: 'Pods', // why\r\n}", "{input: 'Nodes'}"),
  );
  const marked = `\uFEFF${file}`;
  expect((await readFormulaFile('F', marked)).code).toBe('(ctx, pod) => 1');
  expect(await writeFormulaFile({...stored, code: '(ctx, pod) => 2'}, marked)).toBe(
    marked.replace('=> 1', '=> 2'),
  );
});

test('a file that an earlier version broke is read as it was typed', async () => {
  for (const code of ['(ctx, pod) => 1;', '(ctx, pod) => 1 // c', '(ctx, pod) => ({a: 1}); // c'])
    expect(await readFormulaFile('F', `export default formula({input: 'Pods'}, ${code});\n`)).toMatchObject({
      code,
      input: 'Pods',
    });
});

test('a broken file keeps the options that can be read', async () => {
  const stored = await readFormulaFile(
    'F',
    "export default formula({input: 'Pods', kind: 'many'}, (ctx =>);\n",
  );
  expect(stored).toMatchObject({input: 'Pods', kind: 'many', problems: [{line: 1}]});
  const two = await readFormulaFile(
    'F',
    "export default formula({input: 'Pods'}, (ctx) => 1); const x = (2);\n",
  );
  expect(two).toMatchObject({input: 'Pods', problems: [expect.anything()]});
});
