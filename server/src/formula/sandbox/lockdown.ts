// The first thing that a process which runs formulas imports: the language itself becomes unchangeable. With SES's
// defaults stacks would be empty and a label called `constructor` would throw.
import 'ses';

lockdown({
  errorTaming: 'unsafe',
  overrideTaming: 'severe',
  // Traps would want process.exit, which the process has given up before.
  errorTrapping: 'none',
  unhandledRejectionTrapping: 'none',
});
