// npm run bench [-- NAME…]: runs the benchmarks of server/bench and prints ratios from one run.
import './node26.mjs';

await import('../server/bench/main.ts');
