// npm run build: builds the web app if its sources changed.
import './node26.mjs';

const {ensureWebBuild} = await import('../server/src/start/web-build.ts');
await ensureWebBuild(text => process.stderr.write(`${text}\n`));
