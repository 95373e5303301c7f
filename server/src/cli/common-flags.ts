// The flags that find the running instance and choose the output.
import type {CommandFlags} from './command.ts';

export const commonFlags = {
  url: {type: 'string', value: 'URL', help: 'the instance to ask (default: the newest on this machine)'},
  token: {type: 'string', value: 'TEXT', help: 'its access token (default: KRTSCOPE_TOKEN, or as stored)'},
  session: {type: 'string', value: 'NAME', help: 'a session of it (default: the first)'},
  'data-dir': {type: 'string', value: 'FOLDER', help: 'where running instances are listed'},
  output: {type: 'string', short: 'o', value: 'FORMAT', help: 'json prints the answer itself'},
} as const satisfies CommandFlags;

export const atFlag = {
  type: 'string',
  value: 'N',
  help: 'the state at this moment (a sequence number)',
} as const;
