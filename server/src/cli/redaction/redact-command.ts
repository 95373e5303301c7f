// krtscope redact --check: prints what of a manifest krtscope would hide, with the rule, and never the value.

import type {ManifestObject} from '@krtscope/shared/yaml/manifest-objects.ts';
import {readRedactionPolicy} from '../../redact/policy-file.ts';
import {type HiddenValue, reportHidden} from '../../redact/redaction-report.ts';
import type {TerminalCommand} from '../command.ts';
import {usageError} from '../command-line.ts';
import {readManifests} from '../manifest-files.ts';
import {outputOf, printAnswer} from '../print-answer.ts';

interface HiddenInObject extends HiddenValue {
  object: string;
}

export const redactCommand: TerminalCommand = {
  usage: ['redact --check FILE [--redact POLICY] [-o json|yaml]'],
  about: `Prints what of a manifest krtscope would hide: the object, the path and the rule, never the value. It asks no instance and no
cluster. docs/redaction.md explains the rules and the file of a policy.`,
  examples: [
    ['krtscope redact --check shop.yaml', 'what the rules hide'],
    [
      'krtscope redact --check shop.yaml --redact policy.yaml',
      'try a policy before krtscope --redact uses it',
    ],
    ['cat shop.yaml | krtscope redact --check - -o json', 'the same for a script'],
  ],
  exitCodes: [
    [1, 'an error of krtscope itself'],
    [2, 'a wrong command line, manifest or policy'],
  ],
  flags: {
    check: {
      type: 'string',
      multiple: true,
      value: 'FILE',
      help: 'a manifest, a folder of them, or - for stdin; repeat for several',
    },
    redact: {type: 'string', value: 'POLICY', help: 'a policy that hides more (default: KRTSCOPE_REDACT)'},
    output: {type: 'string', short: 'o', value: 'FORMAT', help: 'json or yaml'},
  },
  words: ['file'],
  run: async (line, env) => {
    const files = line.list('check');
    if (files.length === 0 || line.words.length > 0) throw usageError(redactCommand);
    const output = outputOf(line);
    const file = line.text('redact') ?? env.KRTSCOPE_REDACT;
    const policy = file ? readRedactionPolicy(file) : undefined;
    const objects = readManifests(files, '--check').flatMap(itemsOf);
    const hidden = objects.flatMap(object =>
      reportHidden(object, policy).map(found => ({object: nameOf(object), ...found})),
    );
    await printAnswer<HiddenInObject[]>(output, hidden, rows => hiddenTable(rows, objects.length));
  },
};

/** kubectl get -o yaml prints a List. Its items may lack a kind of their own. */
function itemsOf(object: ManifestObject): ManifestObject[] {
  const {kind, items} = object;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [object];
  const itemKind = kind.slice(0, -'List'.length);
  return items
    .filter(item => typeof item === 'object' && item !== null)
    .map((item: ManifestObject) => (itemKind === '' ? item : {kind: itemKind, ...item}));
}

function nameOf({kind, metadata}: ManifestObject): string {
  const {namespace, name} = (metadata ?? {}) as {namespace?: unknown; name?: unknown};
  const key = [namespace, name].filter(part => part !== undefined).join('/');
  return `${kind ?? 'object'} ${key === '' ? '(no name)' : key}`;
}

function hiddenTable(rows: readonly HiddenInObject[], objects: number): string {
  if (rows.length === 0)
    return `Nothing would be hidden in ${objects} ${objects === 1 ? 'object' : 'objects'}.`;
  const lines = [['OBJECT', 'PATH', 'RULE'], ...rows.map(({object, path, rule}) => [object, path, rule])];
  const widths = [0, 1].map(at => Math.max(...lines.map(line => (line[at] as string).length)));
  return lines
    .map(line =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
