// Sets the theme before the first paint: a page that flashes white in a dark room is closed again.
// The same rule lives in src/store/settings.ts; this file exists because the CSP forbids inline scripts.
{
  let theme = 'system';
  try {
    theme = JSON.parse(localStorage.getItem('krtscope') ?? '{}').theme ?? 'system';
  } catch {}
  if (theme === 'system') {
    const asks = query => matchMedia(query).matches;
    if (asks('(prefers-contrast: more)')) theme = 'hc';
    else theme = asks('(prefers-color-scheme: light)') ? 'light' : 'dark';
  }
  document.documentElement.dataset.theme = theme;
}
