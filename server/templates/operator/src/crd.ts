// npm run crd: writes config/crd.yaml from the schema in website.ts.
import {writeFileSync} from 'node:fs';
import {websites} from './website.ts';

writeFileSync(new URL('../config/crd.yaml', import.meta.url), websites.yaml());
