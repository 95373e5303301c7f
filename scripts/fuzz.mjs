// npm run fuzz [-- --seconds N --seed N]: runs the engine's model test for N seconds.
import './node26.mjs';

await import('../server/bench/fuzz/engine-fuzz.ts');
