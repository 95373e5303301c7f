// Builds the page into web/dist, which the server serves. In development it proxies the API to a running server.
import react from '@vitejs/plugin-react';
import {defineConfig} from 'vite';

// Where `npm run dev` finds the server; scripts/dev.mjs sets it.
const server = process.env.KRTSCOPE_DEV_SERVER ?? 'http://127.0.0.1:7070';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The CSP allows fonts and pictures from our own origin only, never data: addresses.
    assetsInlineLimit: 0,
    modulePreload: {polyfill: false},
    target: 'es2023',
    // The page carries its libraries, and so it carries their terms.
    license: {fileName: 'licences.md'},
  },
  server: {
    host: '127.0.0.1',
    // Another krtscope may be building its page here, and that is no reason to load this one again.
    watch: {ignored: ['**/dist*/**']},
    // The page's own Host goes through as it is: the server compares it with the page's Origin.
    proxy: {
      '/api': {target: server, ws: true},
      '/debug': {target: server},
      '/metrics': {target: server},
      '/readyz': {target: server},
    },
  },
});
