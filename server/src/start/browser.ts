// Opens the page in a browser, if krtscope runs in a terminal with a screen.
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
  // Ignore a missing program: the terminal shows the address anyway.
  child.on('error', () => {});
  child.unref();
}
