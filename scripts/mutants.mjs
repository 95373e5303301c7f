// npm run mutants [-- --sample N --seed N --file PART]: are the engine's tests noticed when the engine is wrong?
import './node26.mjs';

await import('./mutants/main.ts');
