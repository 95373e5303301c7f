// npm run mutants [-- --sample N --seed N --file PART]: checks that the engine's tests notice errors in the
// engine.
import './node26.mjs';

await import('./mutants/main.ts');
