import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import { defineConfig } from 'wxt'
import { withoutDescriptions } from '../.tools/without-descriptions.ts'

// WXT treats the custom mode `store` as development. Force production so that builds are minified and reproducible.
process.env.NODE_ENV = 'production'

/** Servers on the seller's machine, such as the sandbox. */
const loopback = ['http://127.0.0.1/*', 'http://localhost/*']

/** Sites where the extension reads the seller's own shops. */
const platforms = ['https://poshmark.com/*', 'https://www.mercari.com/*', 'https://www.depop.com/*']

/**
 * `wxt build extension` builds what `npm start` and the tests load. It may reach loopback servers from the start, since
 * automation cannot answer the permission prompt. `--mode store` builds for the stores and asks for every host at
 * sign-in. That is the only difference.
 */
export default defineConfig({
  // A build that other programs read meanwhile goes elsewhere first (.tools/build-extension.ts).
  outDir: process.env.WXT_OUT_DIR ?? '.output',
  imports: false,
  vite: () => ({ plugins: [preact(), withoutDescriptions()] }),
  hooks: {
    // Licenses of bundled packages require their text. Each entry point has its own file.
    'vite:build:extendConfig': (entrypoints, config) => {
      config.build = { ...config.build, license: { fileName: `licenses/${entrypoints[0]?.name}.md` } }
    },
  },
  zip: {
    artifactTemplate: 'hapax-{{version}}-{{browser}}.zip',
    // Reviewers rebuild the Firefox version from these sources (extension/SOURCES.md).
    sourcesTemplate: 'hapax-{{version}}-sources.zip',
    sourcesRoot: fileURLToPath(new URL('..', import.meta.url)),
    includeSources: ['package.json', 'package-lock.json', 'tsconfig.json', 'extension/**', 'shared/**', '.tools/**'],
    excludeSources: ['**/.output/**', '**/.wxt/**'],
    dotSources: true,
  },
  manifest: ({ mode, browser }) => ({
    name: 'Hapax',
    description: 'Your items, listed everywhere, sold once.',
    version: JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version,
    // notifications: to report at once that a sold item is still live elsewhere. scripting: to tell the web app of the
    // seller's own server that the extension is here (background/announce.ts), and to load what fills in a sell form.
    permissions: ['storage', 'alarms', 'notifications', 'scripting'],
    host_permissions: [...platforms, ...(mode === 'store' ? [] : loopback)],
    optional_host_permissions: ['https://*/*', ...(mode === 'store' ? loopback : [])],
    content_security_policy: {
      extension_pages: [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        // Platforms serve listing pictures from many hosts.
        'img-src https: http://127.0.0.1:* http://localhost:*',
        'connect-src https: http://127.0.0.1:* http://localhost:*',
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
    action: { default_title: 'Hapax' },
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              // A GUID needs no domain. It cannot change after the first upload.
              id: '{ba08e102-2e83-4886-89bc-77915386cc81}',
              // The first version with the required data consent, on Android too.
              strict_min_version: '142.0',
              // The sign-in to the seller's server, and the listings read in their shops.
              data_collection_permissions: { required: ['authenticationInfo', 'websiteContent'] },
            },
          },
        }
      : // The first version with URL.parse.
        { minimum_chrome_version: '126' }),
  }),
})
