// npm run fuzz:why [-- --changes N --seed N]: the truth harness for answers, for as many changes as one likes.
import './node26.mjs';

await import('../server/bench/fuzz/why-fuzz.ts');
