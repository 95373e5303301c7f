// Downloads the recording as a .krtrec file.
import {toast, useApp} from '../../store/app.ts';
import {apiPath} from '../../stream/http.ts';

export function downloadRecording(): void {
  const link = document.createElement('a');
  link.href = apiPath('/recording', {session: useApp.getState().route.session});
  link.download = '';
  link.click();
  toast('Saving the recording as .krtrec');
}
