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
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': {target: server, ws: true, changeOrigin: true},
      '/debug': {target: server, changeOrigin: true},
      '/readyz': {target: server, changeOrigin: true},
    },
  },
});
