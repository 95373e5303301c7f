// The kinds of filters.

export const KEYS = 0;
export const NAMESPACE = 1;
export const LABELS = 2;
export const SELECTS = 3;
export const SELECTS_NON_EMPTY = 4;
export const INDEX = 5;
export const GENERIC = 6;
