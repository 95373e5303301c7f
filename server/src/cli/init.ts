// krtscope init [DIR]: creates an operator project from server/templates/operator.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {UsageError} from '../usage-error.ts';
import {findPackageSource, type PackageSource, tarballName} from './package-source.ts';

const template = fileURLToPath(new URL('../../templates/operator/', import.meta.url));
const webhookTemplate = fileURLToPath(new URL('../../templates/operator-webhooks/', import.meta.url));
/** The root of the clone; used only outside of a package. */
const repository = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '');
const WEBHOOK_README = '_readme-webhooks.md';

const initHelp = `krtscope init [DIR] [--kind Website] [--group example.com] [--webhooks]

Creates an operator project in DIR (default: this folder), which must be empty: a resource, its controller, a test on an API
server of its own, a Dockerfile, and manifests with the rights it needs and no others. The project installs krtscope from where
this krtscope came from: your npm registry, or a tarball, which is copied into DIR.

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

/** What differs from project to project. */
interface ProjectPlan extends ProjectNames {
  version: string;
  webhooks: boolean;
  source: PackageSource;
}

/** The template is a project for Websites. Every occurrence of that name is replaced. */
function fillTemplate(text: string, {kind, group, version, source}: ProjectPlan): string {
  const file = tarballName(version);
  const fromFile = source.tarball !== undefined;
  return text
    .replaceAll('KRTSCOPE_DEPENDENCY', fromFile ? `file:${file}` : version)
    .replaceAll(
      'KRTSCOPE_SOURCE',
      fromFile
        ? `krtscope is installed from \`${file}\` in this folder. Commit the file: the image needs it, too. Once krtscope is in your registry, run \`npm install krtscope@${version}\` and delete the file.`
        : `krtscope is installed from your npm registry. If it is not there, put its tarball into this folder and run \`npm install ./${file}\`: the image takes it along.`,
    )
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

function refuseFullFolder(folder: string, version: string): void {
  // Folders of git and editors are not overwritten, and a tarball of krtscope is used.
  const present = existsSync(folder)
    ? readdirSync(folder).filter(name => !/^\.(git|idea|vscode)$/.test(name) && name !== tarballName(version))
    : [];
  if (present.length > 0)
    throw new UsageError(
      `${folder} is not empty (${present.slice(0, 3).join(', ')}); name an empty or a new folder`,
    );
}

/** Writes the project and returns the names of its files. */
function writeProject(folder: string, plan: ProjectPlan): string[] {
  const {webhooks, version, source} = plan;
  const write = (root: string, path: string) => {
    // npm drops files of this name from packages, so the template has another name for it.
    const own = relative(root, path).replace('_gitignore', '.gitignore');
    const name = fillTemplate(own, plan);
    const target = join(folder, name);
    mkdirSync(dirname(target), {recursive: true});
    const text = readFileSync(path, 'utf8');
    writeFileSync(target, fillTemplate(webhooks ? withWebhooks(own, text) : text, plan));
    return name;
  };
  const files = filesOf(template).map(path => write(template, path));
  if (source.tarball !== undefined) {
    const target = join(folder, tarballName(version));
    if (resolve(source.tarball) !== target) copyFileSync(source.tarball, target);
    files.push(tarballName(version));
  }
  if (!webhooks) return files.sort();
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
  refuseFullFolder(folder, version);
  const beside = [resolve('.'), dirname(folder), repository];
  const source = findPackageSource(fileURLToPath(import.meta.url), folder, beside, version);
  const files = writeProject(folder, {...names, version, webhooks: values.webhooks === true, source});
  const path = relative('.', folder);
  process.stdout.write(
    `${files.map(file => `  ${file}\n`).join('')}\n${basename(folder)} is an operator for ${names.kind}s. ${sourceText(
      source,
      version,
    )} Next:\n\n${path === '' ? '' : `  cd ${path}\n`}  npm install\n  npm test\n`,
  );
}

/** Says where npm install takes krtscope from. */
function sourceText({tarball, installed}: PackageSource, version: string): string {
  const file = tarballName(version);
  if (tarball !== undefined)
    return `It installs krtscope from the file ${file} in its folder (a copy of ${tarball}).`;
  if (installed) return `It installs krtscope ${version} from your npm registry, as you did.`;
  return `It installs krtscope ${version} from your npm registry. If it is not there, run "npm pack" in ${repository} and "npm install ${join(repository, file)}" in the project.`;
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
