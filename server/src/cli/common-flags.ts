// The flags that find the running instance and choose the output.
export const commonFlags = {
  url: {type: 'string'},
  token: {type: 'string'},
  session: {type: 'string'},
  'data-dir': {type: 'string'},
  output: {type: 'string', short: 'o'},
} as const;
