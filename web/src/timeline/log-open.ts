// Whether the log of runs is open: in the address, with its filters.
import {setParams} from '../store/app.ts';
import {useParam} from '../store/hooks.ts';

export function useLogOpen(): boolean {
  return useParam('log')[0] !== null;
}

export function turnLog(open: boolean): void {
  setParams(open ? {log: '1'} : {log: null, logc: null, logo: null, logq: null});
}
