// Before every test file: random cases are the same in every run of npm test, so that a failure is of the change at hand.
// KRTSCOPE_SEED=N plays others; npm run fuzz plays new ones for as long as one likes.
import fc from 'fast-check';

fc.configureGlobal({seed: Number(process.env.KRTSCOPE_SEED ?? 1)});
