// Before each file of the project lockdown: its files share their workers, and a language is locked once.
if (!Object.isFrozen(Array.prototype)) await import('../server/src/formula/sandbox/lockdown.ts');
