// Seeds random test cases, so that each run of npm test tries the same ones. KRTSCOPE_SEED=N tries others,
// and npm run fuzz tries new ones.
import fc from 'fast-check';

fc.configureGlobal({seed: Number(process.env.KRTSCOPE_SEED ?? 1)});
