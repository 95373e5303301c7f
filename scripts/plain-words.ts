// Counts what the style guide forbids and fails when a count passes its limit in plain-words.json.
// The limits are the numbers reached, so that they can only fall. Run it with --list to see each place.
import {execFileSync} from 'node:child_process';
import {readFileSync, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const limits: Record<string, number> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'plain-words.json'), 'utf8'),
);

/** Metaphors that once named types, files and functions. The wire's words ("kept") are JSON fields and stay. */
const BANNED = [
  'asked',
  'kept',
  'held',
  'told',
  'known',
  'life',
  'keeper',
  'desk',
  'book',
  'books',
  'world',
  'ground',
  'bench',
];
const LONG_SENTENCE = 30;
const CROWDED_FOLDER = 30;
const ARCHITECTURE_BYTES = 8 * 1024;

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {cwd: root, encoding: 'utf8'})
  .split('\n')
  .filter(path => path !== '' && statSync(join(root, path), {throwIfNoEntry: false})?.isFile());
/** Generated from the schemas of Kubernetes, in their words. */
const isGenerated = (path: string) => path.startsWith('server/src/built-in-types/');
const code = tracked.filter(
  path => /^(server\/src|web\/src|shared\/src|scripts)\/.*\.(ts|tsx|mjs)$/.test(path) && !isGenerated(path),
);
const isTest = (path: string) => /\.test\.|(^|\/)testing(-|\/)/.test(path);

/** Splits camelCase, PascalCase and kebab-case into lower-case words. */
function wordsOf(name: string): string[] {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|[-_.]/)
    .map(word => word.toLowerCase())
    .filter(word => word !== '');
}
/** A command of npm, and a public name of krtscope/krt. */
const ALLOWED = new Set(['bench.mjs', 'AskedFetch']);
const isBanned = (name: string) => !ALLOWED.has(name) && wordsOf(name).some(word => BANNED.includes(word));

interface SourceComment {
  path: string;
  line: number;
  text: string;
}

/** Comments of a file. Lines of // that follow each other are one comment. */
function commentsOf(path: string, text: string): SourceComment[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      ranges.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) ranges.set(range.pos, range);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  const found: (SourceComment & {end: number})[] = [];
  for (const {pos, end, kind} of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const raw = text.slice(pos, end);
    const line = source.getLineAndCharacterOfPosition(pos).line + 1;
    const body =
      kind === ts.SyntaxKind.SingleLineCommentTrivia
        ? raw.replace(/^\/\/+/, '')
        : raw.replace(/^\/\*+|\*+\/$/g, '').replace(/^\s*\*/gm, ' ');
    const last = found.at(-1);
    const joined = last !== undefined && raw.startsWith('//') && /^\n[ \t]*$/.test(text.slice(last.end, pos));
    if (joined) {
      last.text += ` ${body}`;
      last.end = end;
    } else found.push({path, line, text: body, end});
  }
  return found;
}

/** The words of each sentence. Code in backticks counts as one word. */
function sentencesOf(text: string): string[][] {
  return text
    .replace(/`[^`]*`/g, 'code')
    .split(/(?<=[.?!])\s+|\n\s*\n|\n\s*[-*]\s/)
    .map(sentence => sentence.split(/\s+/).filter(word => /\w/.test(word)));
}

/** Names of the types, and of functions and constants, at the top of a file. */
function declarationsOf(path: string, text: string): {types: string[]; values: string[]} {
  const types: string[] = [];
  const values: string[] = [];
  for (const node of ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements) {
    if (
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isEnumDeclaration(node)
    ) {
      if (node.name !== undefined) types.push(node.name.text);
    } else if (ts.isFunctionDeclaration(node)) {
      if (node.name !== undefined) values.push(node.name.text);
    } else if (ts.isVariableStatement(node)) {
      for (const {name} of node.declarationList.declarations)
        if (ts.isIdentifier(name)) values.push(name.text);
    }
  }
  return {types, values};
}

const places: Record<string, string[]> = {
  bannedNames: [],
  typeNamesDefinedTwice: [],
  longCommentSentences: [],
  nobodyInComments: [],
  crowdedFolders: [],
  architectureTooLong: [],
};
const definedIn = new Map<string, Set<string>>();
for (const path of code) {
  const text = readFileSync(join(root, path), 'utf8');
  const {types, values} = declarationsOf(path, text);
  if (isBanned(basename(path))) places.bannedNames?.push(path);
  for (const name of [...types, ...values]) if (isBanned(name)) places.bannedNames?.push(`${path}: ${name}`);
  if (!isTest(path))
    for (const name of types) definedIn.set(name, (definedIn.get(name) ?? new Set()).add(path));
  if (isTest(path)) continue;
  for (const {line, text: comment} of commentsOf(path, text)) {
    for (const words of sentencesOf(comment))
      if (words.length > LONG_SENTENCE)
        places.longCommentSentences?.push(`${path}:${line}: ${words.length} words`);
    for (const [word] of comment.matchAll(/\b(nobody|somebody|whoever)\b/gi))
      places.nobodyInComments?.push(`${path}:${line}: ${word}`);
  }
}
for (const [name, files] of definedIn)
  if (files.size > 1) places.typeNamesDefinedTwice?.push(`${name}: ${[...files].join(', ')}`);
const besides = Map.groupBy(
  tracked.filter(path => /^(server|web|shared|scripts)\//.test(path)),
  path => dirname(path),
);
for (const [folder, files] of besides)
  if (files.length > CROWDED_FOLDER) places.crowdedFolders?.push(`${folder}: ${files.length} files`);
const {size} = statSync(join(root, 'ARCHITECTURE.md'));
if (size > ARCHITECTURE_BYTES) places.architectureTooLong?.push(`ARCHITECTURE.md: ${size} bytes`);

let failed = false;
for (const [rule, found] of Object.entries(places)) {
  const limit = limits[rule] ?? 0;
  const over = found.length > limit;
  failed ||= over;
  process.stdout.write(`${rule}: ${found.length} of at most ${limit}${over ? '  TOO MANY' : ''}\n`);
  if (over || process.argv.includes('--list'))
    for (const place of found) process.stdout.write(`  ${place}\n`);
  if (!over && found.length < limit)
    process.stdout.write(`  Lower the limit of ${rule} in scripts/plain-words.json to ${found.length}.\n`);
}
process.exit(failed ? 1 : 0);
