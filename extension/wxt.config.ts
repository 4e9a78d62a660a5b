import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import { defineConfig } from 'wxt'

// Whoever builds, and in whatever mode: WXT would take `store` for no production, and what goes to the stores would be built
// for development, with the folders of the machine in it, which nobody else could build again.
process.env.NODE_ENV = 'production'

/** A server on the seller's own machine, such as the sandbox of `npm start`. */
const loopback = ['http://127.0.0.1/*', 'http://localhost/*']

/** Where the seller's own shops are read. */
const platforms = ['https://poshmark.com/*', 'https://www.mercari.com/*', 'https://www.depop.com/*']

/**
 * `wxt build extension` makes what `npm start` hands out, and what the tests load: it may reach a server on the same
 * machine from the start, so that it works with the sandbox, and under automation, which cannot click the browser's
 * question. `--mode store` makes what goes to the stores: it asks for every server's host when the seller signs in.
 * That is the only difference.
 */
export default defineConfig({
  imports: false,
  vite: () => ({ plugins: [preact()] }),
  hooks: {
    // The licenses of bundled packages ask to be handed on with them. Each build has its own file.
    'vite:build:extendConfig': (entrypoints, config) => {
      config.build = { ...config.build, license: { fileName: `licenses/${entrypoints[0]?.name}.md` } }
    },
  },
  zip: {
    artifactTemplate: 'hapax-{{version}}-{{browser}}.zip',
    // Firefox's reviewers build what was submitted from its sources, as extension/SOURCES.md says.
    sourcesTemplate: 'hapax-{{version}}-sources.zip',
    sourcesRoot: fileURLToPath(new URL('..', import.meta.url)),
    includeSources: ['package.json', 'package-lock.json', 'tsconfig.json', 'extension/**', 'shared/**', '.tools/**'],
    excludeSources: ['**/.output/**', '**/.wxt/**'],
    dotSources: true,
  },
  manifest: ({ mode, browser }) => ({
    name: 'Hapax',
    description: 'Your items, listed everywhere, sold once.',
    version: '0.1.0',
    // notifications: to say at once that something sold elsewhere and is still up.
    permissions: ['storage', 'alarms', 'notifications'],
    host_permissions: [...platforms, ...(mode === 'store' ? [] : loopback)],
    optional_host_permissions: ['https://*/*', ...(mode === 'store' ? loopback : [])],
    content_security_policy: {
      extension_pages: [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        // Pictures of listings, wherever a platform keeps them.
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
              // A GUID needs no domain of ours. It cannot change after the first upload.
              id: '{ba08e102-2e83-4886-89bc-77915386cc81}',
              // The first version, on Android too, that asks for consent to what is sent, as new extensions must have it.
              strict_min_version: '142.0',
              // The sign-in to the seller's own server, and the listings read in their shops.
              data_collection_permissions: { required: ['authenticationInfo', 'websiteContent'] },
            },
          },
        }
      : // The first version with URL.parse, by which addresses are read.
        { minimum_chrome_version: '126' }),
  }),
})
