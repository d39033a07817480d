import { defineConfig } from 'vite';

/** One page with its script and style, named by their content; the gateway serves the folder as it is. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // The gateway's policy lets no data be a script or a style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
