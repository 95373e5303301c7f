// npm run bench [-- NAME…]: every benchmark of server/bench, as ratios from one run.
import './node26.mjs';

process.argv.splice(1, 1, 'server/bench/main.ts');
await import('../server/bench/main.ts');
