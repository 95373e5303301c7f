// The recording as a file: what one attaches to an issue or hands to a colleague.
import {toast, useApp} from '../../store/app.ts';
import {apiPath} from '../../stream/http.ts';

export function downloadRecording(): void {
  const link = document.createElement('a');
  link.href = apiPath('/recording', {session: useApp.getState().route.session});
  link.download = '';
  link.click();
  toast('The recording is being saved as .krtrec');
}
