// Whether the log of runs is open: in the address, with its filters.
import {setParams} from '../store/app.ts';
import {useParam} from '../store/navigation.ts';

export function useLogOpen(): boolean {
  return useParam('log')[0] !== null;
}

export function setLogOpen(open: boolean): void {
  setParams(open ? {log: '1'} : {log: null, logc: null, logo: null, logq: null});
}
