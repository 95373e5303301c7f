// Downloads the recording as a .krtrec file. It goes through fetch, because a link cannot carry the token.
import {toast, useApp} from '../../store/app.ts';
import {errorText} from '../../stream/failure-text.ts';
import {apiPath, requestFile} from '../../stream/http.ts';
import {saveFile} from '../../ui/save-file.ts';

export async function downloadRecording(): Promise<void> {
  toast('Saving the recording as .krtrec');
  try {
    const {blob, name} = await requestFile(apiPath('/recording', {session: useApp.getState().route.session}));
    saveFile(blob, name ?? 'recording.krtrec');
  } catch (error) {
    toast(errorText(error), 'error');
  }
}
