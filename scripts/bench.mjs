// npm run bench [-- NAME…]: every benchmark of server/bench, as ratios from one run.
import './node26.mjs';

await import('../server/bench/main.ts');
