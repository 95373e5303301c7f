// Whether the run log is open, and its filters, in the URL.
import {setParams} from '../store/app.ts';
import {useParam} from '../store/navigation.ts';

export function useLogOpen(): boolean {
  return useParam('log')[0] !== null;
}

export function setLogOpen(open: boolean): void {
  setParams(open ? {log: '1'} : {log: null, logc: null, logo: null, logq: null});
}
