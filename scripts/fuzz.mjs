// npm run fuzz [-- --seconds N --seed N]: the engine's model test for as long as one likes.
import './node26.mjs';

await import('../server/bench/fuzz/engine-fuzz.ts');
