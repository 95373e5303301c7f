// Freezes JavaScript's own objects. Every process that runs formulas imports this file first.
// With the defaults of SES, stacks would be empty and a label named `constructor` would throw.
import './symbol-registry.ts';
import 'ses';

lockdown({
  errorTaming: 'unsafe',
  overrideTaming: 'severe',
  // Traps need process.exit, which the process has removed before.
  errorTrapping: 'none',
  unhandledRejectionTrapping: 'none',
});
