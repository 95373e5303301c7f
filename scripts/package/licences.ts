// Collects the licences of bundled packages, because bundling copies their code.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const permissive =
  /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Zlib|\(?MIT OR [\w.-]+\)?)$/;

/** The licences of all packages as one text. Throws for a licence that is not permissive. */
export function licenceText(packages: string[]): string {
  const parts = packages.map(folder => {
    const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    if (license === undefined || !permissive.test(license)) {
      throw new Error(`${name} ${version} is under "${license}", which the package may not carry`);
    }
    const files = readdirSync(folder).filter(file => /^(licen[cs]e|notice|copying)/i.test(file));
    const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
