// A key as it looks on the keyboard; names as in app/keys/keys.ts.
import './kbd.css';

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform ?? '');
const words: Record<string, string> = {
  Escape: 'Esc',
  Enter: '⏎',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};

/** `Mod+K` becomes `Ctrl K` (or `⌘ K`), `Shift+W` becomes `⇧W`. */
export function keyText(name: string): string {
  const parts = name.split('+').filter(Boolean);
  if (name === '+') return '+';
  return parts
    .map(part => {
      if (part === 'Mod') return mac ? '⌘ ' : 'Ctrl ';
      if (part === 'Shift') return '⇧';
      return words[part] ?? part;
    })
    .join('');
}

export function Kbd({keys}: {keys: string}) {
  return (
    <span className="kbd inline-row" aria-hidden="true">
      {keyText(keys)}
    </span>
  );
}
