// Translates the parts of a formula that both languages share to Go: fetches with their filters, names and labels of
// objects, and returns of nothing. Other code becomes a zero value with the text as a comment.
import type {FetchSite} from '../types/protocol.ts';

export const namespaceIndexName = 'ByNamespace';

export interface GoFormula {
  code: string;
  /** The name of the input's variable in Go. Empty for a singleton. */
  item: string;
  /** The input is an object of a Kubernetes package. */
  isObject: boolean;
  isNamespaced: boolean;
}

export interface GoFetch {
  collection: string;
  /** The variable in Go. */
  name: string;
  text: string;
  byNamespace: boolean;
  isOne: boolean;
  /** The name of the result in the formula, if it has one. */
  local: string | undefined;
}

export function goFetch(site: FetchSite, formula: GoFormula, at: number): GoFetch {
  const own = withConstants(formula.code.slice(site.from, site.to), formula.code);
  const collection = goVariable(site.collection);
  const filters: string[] = [];
  const namespace = argumentOf(own, 'namespace');
  if (namespace !== undefined)
    filters.push(
      `krt.FilterIndex(${collection}${namespaceIndexName}, ${goExpression(namespace, formula, '""')})`,
    );
  const take: [word: string, filter: string, none: string][] = [
    ['key', 'FilterKey', '""'],
    ['label', 'FilterLabel', 'map[string]string{}'],
    ['selects', 'FilterSelects', 'map[string]string{}'],
    ['selectsNonEmpty', 'FilterSelectsNonEmpty', 'map[string]string{}'],
  ];
  for (const [word, filter, none] of take) {
    const text = argumentOf(own, word);
    if (text !== undefined) filters.push(`krt.${filter}(${goExpression(text, formula, none)})`);
  }
  for (const word of ['generic', 'index', 'keys', 'name']) {
    if (new RegExp(`(?<![\\w.])${word}\\(`).test(own))
      filters.push(`krt.FilterGeneric(func(any) bool { return true /* ${word}(…) */ })`);
  }
  const name = `${collection}Found${at === 0 ? '' : at + 1}`;
  const isOne = /\.fetchOne\(/.test(own);
  return {
    collection: site.collection,
    name,
    byNamespace: namespace !== undefined,
    isOne,
    local: /(?:const|let)\s+(\w+)\s*=\s*$/.exec(formula.code.slice(0, site.from))?.[1],
    text: `${name} := krt.${isOne ? 'FetchOne' : 'Fetch'}(ctx, ${[collection, ...filters].join(', ')})`,
  };
}

/** Puts `const here = namespace(…)` in place of `here`, for filters that have a name. */
function withConstants(fetch: string, code: string): string {
  return fetch.replaceAll(/(?<=,\s*)([A-Za-z_$]\w*)(?=\s*[,)])/g, word => {
    const found = new RegExp(`const\\s+${word.replaceAll('$', '\\$')}\\s*=\\s*`).exec(code);
    if (found === null) return word;
    const start = found.index + found[0].length;
    const end = code.slice(start).search(/;|\n/);
    return code.slice(start, end < 0 ? undefined : start + end);
  });
}

/** The text between the brackets of the first call of `word`. */
function argumentOf(text: string, word: string): string | undefined {
  const found = new RegExp(`(?<![\\w.])${word}\\(`).exec(text);
  if (found === null) return undefined;
  const start = found.index + found[0].length;
  let open = 1;
  for (let at = start; at < text.length; at++) {
    open += '([{'.includes(text[at]!) ? 1 : ')]}'.includes(text[at]!) ? -1 : 0;
    if (open === 0) return text.slice(start, at);
  }
  return undefined;
}

/** Returns `none` with the text as a comment if the text has no counterpart. */
function goExpression(text: string, formula: GoFormula, none: string): string {
  const plain = text.trim();
  return (
    translate(resolveConstant(plain, formula.code), formula) ??
    `${none} /* ${plain.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */`
  );
}

/** `const ns = namespaceOf(pod)` in place of `ns`. */
function resolveConstant(plain: string, code: string): string {
  if (!/^[A-Za-z_]\w*$/.test(plain)) return plain;
  const found = new RegExp(`const\\s+${plain}\\s*=\\s*([^;\\n]+)`).exec(code)?.[1];
  return found?.trim() ?? plain;
}

function translate(text: string, formula: GoFormula): string | undefined {
  const plain = text.trim().replace(/\s*\?\?\s*(?:''|""|\{\})$/, '');
  if (/^'[^'\\]*'$/.test(plain) || /^"[^"\\]*"$/.test(plain)) return JSON.stringify(plain.slice(1, -1));
  return (
    translateField(plain, formula) ??
    translateHelper(plain, formula) ??
    translateTemplate(plain, formula) ??
    translateMap(plain, formula)
  );
}

const fields: Record<string, string> = {namespace: 'Namespace', name: 'Name', labels: 'Labels'};

/** The name that the formula gives its input. */
function parameterOf(code: string): string | undefined {
  return /\(\s*\w+(?:\s*:[^,]*)?,\s*(\w+)/.exec(code)?.[1];
}

function translateField(plain: string, {code, item}: GoFormula): string | undefined {
  const found = /^(\w+)\??\.(?:metadata\??\.)?(\w+)$/.exec(plain);
  if (found === null || item === '' || !Object.hasOwn(fields, found[2]!)) return undefined;
  return found[1] === item || found[1] === parameterOf(code) ? `${item}.${fields[found[2]!]}` : undefined;
}

const helpers: Record<string, string> = {namespaceOf: 'Namespace', nameOf: 'Name', labelsOf: 'Labels'};

function translateHelper(plain: string, formula: GoFormula): string | undefined {
  const {code, item, isObject, isNamespaced} = formula;
  const found = /^(namespaceOf|nameOf|labelsOf|keyOf)\((\w+)\)$/.exec(plain);
  if (found === null || item === '' || (found[2] !== item && found[2] !== parameterOf(code)))
    return undefined;
  if (found[1] !== 'keyOf') return `${item}.${helpers[found[1]!]}`;
  if (!isObject) return `${item}.ResourceName()`;
  return isNamespaced ? `${item}.Namespace + "/" + ${item}.Name` : `${item}.Name`;
}

/** A text such as `${namespaceOf(pod)}/web`. */
function translateTemplate(plain: string, formula: GoFormula): string | undefined {
  if (!/^`[^`\\]*`$/.test(plain)) return undefined;
  const parts = plain.slice(1, -1).split(/\$\{([^{}]*)\}/);
  const translated = parts.map((part, at) =>
    at % 2 === 0 ? (part === '' ? '' : JSON.stringify(part)) : translate(part, formula),
  );
  if (translated.includes(undefined)) return undefined;
  return translated.filter(part => part !== '').join(' + ') || '""';
}

/** Labels such as {app: pod.metadata.name}. */
function translateMap(plain: string, formula: GoFormula): string | undefined {
  const inside = /^\{([^{}]*)\}$/.exec(plain)?.[1];
  if (inside === undefined) return undefined;
  const pairs: string[] = [];
  for (const part of inside.split(',').filter(one => one.trim() !== '')) {
    const found = /^\s*(?:'([^']*)'|"([^"]*)"|([A-Za-z_]\w*))\s*:\s*(.+?)\s*$/s.exec(part);
    const value = found === null ? undefined : translate(found[4]!, formula);
    if (found === null || value === undefined) return undefined;
    pairs.push(`${JSON.stringify(found[1] ?? found[2] ?? found[3])}: ${value}`);
  }
  return `map[string]string{${pairs.join(', ')}}`;
}

const nothing = String.raw`(?:null|undefined|\[\])`;

/** `return nil` for each place where the formula returns nothing. */
export function endsWithNothing({code}: GoFormula, fetches: readonly GoFetch[]): string[] {
  const conditions = [
    ...[...code.matchAll(new RegExp(`\\bif \\((.+)\\) return(?: ${nothing})?;`, 'g'))].map(
      found => found[1]!,
    ),
    ...[
      ...code.matchAll(
        new RegExp(`(?:return |=> \\(?)([^?;\\n=]+(?:===|!==|>=|<=|>|<)?[^?;\\n=]*) \\? ${nothing} :`, 'g'),
      ),
    ].map(found => found[1]!),
  ];
  return conditions.flatMap(condition => [
    `\t\tif ${goCondition(condition.trim(), fetches)} {`,
    '\t\t\treturn nil',
    '\t\t}',
  ]);
}

function goCondition(text: string, fetches: readonly GoFetch[]): string {
  const found = (local: string | undefined) =>
    fetches.find(one => one.local !== undefined && one.local === local);
  const length = /^(\w+)\.length (===|!==|>|<|>=|<=) (\d+)$/.exec(text);
  const list = found(length?.[1]);
  if (length !== null && list !== undefined && !list.isOne)
    return `len(${list.name}) ${length[2]!.slice(0, length[2]!.startsWith('=') || length[2]!.startsWith('!') ? 2 : undefined)} ${length[3]}`;
  const missing = /^(?:!(\w+)|(\w+) (===|!==) (?:undefined|null))$/.exec(text);
  const one = found(missing?.[1] ?? missing?.[2]);
  if (missing !== null && one?.isOne) return `${one.name} ${missing[3] === '!==' ? '!=' : '=='} nil`;
  return `false /* ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */`;
}

const goWords = ['type', 'func', 'range', 'map', 'package', 'opts', 'ctx'];

/** A collection's name as a variable. */
export function goVariable(name: string): string {
  const word = name.slice(0, 1).toLowerCase() + name.slice(1).replaceAll(/\W/g, '');
  return goWords.includes(word) ? `${word}s` : word;
}
