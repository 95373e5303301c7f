// The page for a visitor without the token: one field to paste it into, without scripts.

const escaped = (text: string) => text.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);

/** Repeats the query as hidden fields. A form replaces the query, and the moment (`?t=`) would be lost. */
export function tokenPage({pathname, searchParams}: URL): string {
  const action = escaped(pathname.replace(/^\/+/, '/'));
  const hiddenFields = [...searchParams]
    .filter(([name]) => name !== 'token')
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">\n`);
  const wrong = searchParams.get('token')
    ? '<p role="alert">Wrong access token. Use the address that krtscope printed when it last started.</p>\n'
    : '';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>krtscope: access token</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/token-page.css"></head>
<body><main>
<h1>krtscope</h1>
<p>This page needs the access token. It is in the address that krtscope printed when it started, after <code>token=</code>.</p>
${wrong}<form method="get" action="${action}">
<label for="token">Access token</label>
<input id="token" name="token" type="password" autocomplete="off" autofocus required>
${hiddenFields.join('')}<button type="submit">Open</button>
</form></main></body></html>
`;
}

export const tokenPageStyle = `:root{color-scheme:light dark;font:14px/20px Inter,system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#F2F4F7,#0B0E13);color:light-dark(#1B2430,#E6EDF3)}
main{width:min(400px,calc(100vw - 48px));padding:24px;border-radius:12px;background:light-dark(#FFFFFF,#12161C);border:1px solid light-dark(#D9DFE6,#2A3340)}
h1{margin:0 0 8px;font-size:22px;line-height:28px;letter-spacing:-.02em}
p{margin:0 0 16px;color:light-dark(#465160,#AEB8C4)}
p[role=alert]{color:light-dark(#B3261E,#FF8A73)}
label{display:block;margin-bottom:4px;font-weight:600}
input{box-sizing:border-box;width:100%;height:36px;margin-bottom:12px;padding:0 8px;border-radius:6px;border:1px solid light-dark(#AEB8C4,#435063);background:transparent;color:inherit;font:13px ui-monospace,monospace}
button{height:32px;padding:0 16px;border:0;border-radius:6px;background:light-dark(#1B2430,#E6EDF3);color:light-dark(#FFFFFF,#12161C);font:inherit;font-weight:600}
`;
