// The page's entry: fonts, tokens, theme, keys, then the app.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './app/tokens.css';
import './ui/layout/primitives.css';
import './app/global.css';
import './app/reduced-motion.css';
import './ui/controls/touch-targets.css';
import {StrictMode} from 'react';
import {createRoot} from 'react-dom/client';
import {App} from './app/App.tsx';
import {listenToKeys} from './app/keys/keys.ts';
import {followRecentItems} from './app/search/recent-items.ts';
import {followHistory} from './store/app.ts';
import {followTheme} from './store/settings.ts';
import {followOtherTabs} from './stream/access-token.ts';
import {escapeHiddenCharactersIn} from './ui/text/hidden-characters.ts';

followTheme();
followHistory();
followOtherTabs();
followRecentItems();
listenToKeys();
escapeHiddenCharactersIn(document.body);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
