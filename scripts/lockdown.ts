// Runs before each file of the project lockdown. The files share workers, and a worker is locked once.
if (!Object.isFrozen(Array.prototype)) await import('../server/src/formula/sandbox/lockdown.ts');
