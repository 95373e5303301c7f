// npm run fuzz:why [-- --changes N --seed N]: checks the answers of explain against random changes.
import './node26.mjs';

await import('../server/bench/fuzz/why-fuzz.ts');
