// The file of the functions that all formulas of a folder share.
export const HELPER_FILE = 'helpers.ts';
