// Opens the page for the person who started krtscope, where there is a screen and somebody looking.
import {spawn} from 'node:child_process';

export function canOpenBrowser(env: Record<string, string | undefined>, terminal: boolean): boolean {
  if (!terminal || env.CI) return false;
  if (process.platform === 'linux') return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return true;
}

export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(command as string, args, {stdio: 'ignore', detached: true});
  // No such program: the address is on the screen all the same.
  child.on('error', () => {});
  child.unref();
}
