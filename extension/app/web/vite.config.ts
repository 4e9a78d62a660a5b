import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import { defineConfig } from 'vite'
import { withoutDescriptions } from '#tools/without-descriptions.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

/** Builds the web app that the server serves at /app/. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(version) },
  plugins: [preact(), withoutDescriptions()],
  resolve: {
    alias: {
      entities: fileURLToPath(new URL('./decode-html.ts', import.meta.url)),
    },
  },
  build: {
    outDir: fileURLToPath(new URL('../../.output/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2024',
    // The content security policy takes no inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' },
    // One chunk for what the first page needs. Otherwise each set of lazy screens that share a module gets a chunk of it,
    // and a dozen small ones compress to 5 % more than one. Without the entry, whose awaits every lazy screen would wait for.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'app',
              tags: ['$initial'],
              test: (id: string) => !id.endsWith('/web/main.tsx') && !id.endsWith('.html'),
            },
          ],
        },
      },
    },
    // e2e/web-app.test.ts limits what is sent.
    chunkSizeWarningLimit: 800,
  },
})
