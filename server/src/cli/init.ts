// krtscope init [DIR]: creates an operator project from server/templates/operator.
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {UsageError} from '../usage-error.ts';

const template = fileURLToPath(new URL('../../templates/operator/', import.meta.url));
const webhookTemplate = fileURLToPath(new URL('../../templates/operator-webhooks/', import.meta.url));
const WEBHOOK_README = '_readme-webhooks.md';

const initHelp = `krtscope init [DIR] [--kind Website] [--group example.com] [--webhooks]

Creates an operator project in DIR (default: this folder), which must be empty: a resource, its controller, a test on an API
server of its own, a Dockerfile, and manifests with the rights it needs and no others.

  --kind NAME             the kind it is for, such as Website (the default)
  --group NAME            its API group, such as example.com (the default)
  --webhooks              with admission webhooks: defaults and checks, their test, Service and rights
`;

interface ProjectNames {
  kind: string;
  group: string;
}

function parseProjectNames(values: {kind?: string | undefined; group?: string | undefined}): ProjectNames {
  const {kind = 'Website', group = 'example.com'} = values;
  if (!/^[A-Z][A-Za-z0-9]{0,61}$/.test(kind))
    throw new UsageError(
      `--kind is "${kind}"; a kind is one word that begins with a capital, such as Website`,
    );
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/.test(group))
    throw new UsageError(`--group is "${group}"; a group is a domain, such as example.com`);
  return {kind, group};
}

/** The template is a project for Websites. Every occurrence of that name is replaced. */
function fillTemplate(text: string, {kind, group}: ProjectNames, version: string): string {
  return text
    .replaceAll('KRTSCOPE_VERSION', version)
    .replaceAll('example.com', group)
    .replaceAll('Website', kind)
    .replaceAll('website', kind.toLowerCase());
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map(name => join(folder, name))
    .flatMap(path => (statSync(path).isDirectory() ? filesOf(path) : [path]));
}

/** Writes the project and returns the names of its files. */
function writeProject(folder: string, names: ProjectNames, version: string, webhooks: boolean): string[] {
  // Folders of git and editors are not overwritten.
  const present = existsSync(folder)
    ? readdirSync(folder).filter(name => !/^\.(git|idea|vscode)$/.test(name))
    : [];
  if (present.length > 0)
    throw new UsageError(
      `${folder} is not empty (${present.slice(0, 3).join(', ')}); name an empty or a new folder`,
    );
  const write = (root: string, path: string) => {
    // npm drops files of this name from packages, so the template has another name for it.
    const own = relative(root, path).replace('_gitignore', '.gitignore');
    const name = fillTemplate(own, names, version);
    const target = join(folder, name);
    mkdirSync(dirname(target), {recursive: true});
    const text = readFileSync(path, 'utf8');
    writeFileSync(target, fillTemplate(webhooks ? withWebhooks(own, text) : text, names, version));
    return name;
  };
  const files = filesOf(template).map(path => write(template, path));
  if (!webhooks) return files;
  const more = filesOf(webhookTemplate).filter(path => basename(path) !== WEBHOOK_README);
  return [...files, ...more.map(path => write(webhookTemplate, path))].sort();
}

/** The files of the plain project that differ if it has webhooks. */
function withWebhooks(name: string, text: string): string {
  if (name === 'README.md') return text + readFileSync(join(webhookTemplate, WEBHOOK_README), 'utf8');
  if (name === join('config', 'operator.yaml'))
    return text.replace(
      /^( *)- name: metrics\n( *)containerPort: 8080\n/m,
      '$&$1- name: webhooks\n$2containerPort: 9443\n',
    );
  if (name !== join('src', 'main.ts')) return text;
  return text
    .replace(
      "import {addWebsiteController} from './controller.ts';\n",
      "$&import {addWebsiteWebhooks} from './webhooks.ts';\n",
    )
    .replace(
      'addWebsiteController(manager);\n',
      "$&// The API server reaches webhooks behind a Service only.\nif (namespace) addWebsiteWebhooks(manager, {service: {namespace, name: 'website-operator'}});\n",
    );
}

export function runInit(args: string[], version: string): void {
  let parsed: ReturnType<typeof parseInitArgs>;
  try {
    parsed = parseInitArgs(args);
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message.split(/\.\s/)[0]}; krtscope init --help lists its options`,
    );
  }
  const {values, positionals} = parsed;
  if (values.help === true) return void process.stdout.write(initHelp);
  if (positionals.length > 1) throw new UsageError('usage: krtscope init DIR, with one folder');
  const names = parseProjectNames(values);
  const folder = resolve(positionals[0] ?? '.');
  const files = writeProject(folder, names, version, values.webhooks === true);
  const path = relative('.', folder);
  process.stdout.write(
    `${files.map(file => `  ${file}\n`).join('')}\n${basename(folder)} is an operator for ${names.kind}s. Next:\n\n${
      path === '' ? '' : `  cd ${path}\n`
    }  npm install\n  npm test\n`,
  );
}

function parseInitArgs(args: string[]) {
  return parseArgs({
    args,
    options: {
      kind: {type: 'string'},
      group: {type: 'string'},
      webhooks: {type: 'boolean'},
      help: {type: 'boolean', short: 'h'},
    },
    allowPositionals: true,
    strict: true,
  });
}
