import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type Router from '@koa/router'
import type { Config } from '#server/config.ts'
import { problem } from '#server/infra/errors.ts'
import { type Html, html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { contact } from './contact.ts'
import { sendPage } from './layout.ts'

/** Where `npm start` and `npm run build` put the packed extension. */
const built = fileURLToPath(new URL('../../extension/.output', import.meta.url))

const names = { chrome: 'Chrome', edge: 'Edge', firefox: 'Firefox' }
type Browser = keyof typeof names
const browsers = Object.keys(names) as Browser[]

/** Mounts `/extension/`: the stores, and the packed extension where this server has it. */
export function mountExtensionPage(router: Router, { config }: Services, folder = built): void {
  router.get('/extension', (ctx) => {
    ctx.redirect('/extension/')
    ctx.status = 308
  })
  router.get('/extension/', (ctx) => {
    const stores = storeAddresses(config)
    const zips = browsers.filter((browser) => findZip(folder, browser) !== null)
    sendPage(ctx, {
      title: 'Get the browser extension',
      body: html`<h1>Get the browser extension</h1>
<p>Poshmark, Mercari and Depop have no API for sellers. The extension imports your closet there, fills in their forms
and helps you end listings, in your own browser. eBay and Etsy work without it.</p>
${stores.length > 0 && html`<h2>From a store</h2><p>${stores.map(([browser, url]) => html`<a class="button" href="${url}">Add to ${names[browser]}</a>`)}</p>`}
${zips.length > 0 && downloads(zips)}
${stores.length + zips.length === 0 && html`<p>This server offers no download yet.${contact(config)} Until then, eBay and Etsy work without the extension.</p>`}
<h2>After installing it</h2>
<ol>
<li>Open Hapax from the toolbar. Enter the address of this server, <code>${config.PUBLIC_URL}</code>, and sign in.</li>
<li>Open your closet on Poshmark, Mercari or Depop, and press “Import” in its corner.</li>
</ol>
<p><a href="/app/">Back to Hapax</a></p>`,
    })
  })
  router.get('/extension/hapax-:browser.zip', (ctx) => {
    const browser = browsers.find((one) => one === ctx.params.browser)
    const file = browser && findZip(folder, browser)
    if (!file) throw problem('not_found')
    ctx.attachment(`hapax-${browser}.zip`)
    ctx.type = 'application/zip'
    ctx.length = statSync(file).size
    ctx.body = createReadStream(file)
  })
}

const downloads = (zips: Browser[]): Html => html`<h2>As a file</h2>
<p>${zips.map((browser) => html`<a class="button plain" href="/extension/hapax-${browser}.zip">Download for ${names[browser]}</a>`)}</p>
<p class="hint">Unpack the file. In Chrome or Edge open <code>chrome://extensions</code>, turn on “Developer mode”, press
“Load unpacked” and choose the folder. In Firefox open <code>about:debugging</code>, “This Firefox”, and load the file.</p>`

function storeAddresses(config: Config): [Browser, string][] {
  const addresses = {
    chrome: config.EXTENSION_CHROME_URL,
    edge: config.EXTENSION_EDGE_URL,
    firefox: config.EXTENSION_FIREFOX_URL,
  }
  return browsers.flatMap((browser) => (addresses[browser] ? [[browser, addresses[browser]]] : []))
}

/** Whether sellers get the extension here: from a store, or as a file. */
export function offersExtension(config: Config, folder = built): boolean {
  return storeAddresses(config).length > 0 || browsers.some((browser) => findZip(folder, browser) !== null)
}

function findZip(folder: string, browser: Browser): string | null {
  if (!existsSync(folder)) return null
  const name = readdirSync(folder).find((one) => one.endsWith(`-${browser}.zip`))
  return name ? join(folder, name) : null
}
