import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'puppeteer'
import sharp from 'sharp'
import { launchBrowser } from '#e2e/browser.ts'
import { startPoshmark } from '#e2e/sites/poshmark.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { buildExtension, buildWebApart } from '#tools/build-extension.ts'
import { root } from '#tools/root.ts'
import { startLabServer } from '../fuzz/lab-server.ts'
import { furnish, seller } from '../pictures/furnish.ts'
import { publicPages, screens } from '../pictures/screens.ts'

/**
 * `npm run lab -- pictures [--folder FOLDER] [--only PART …]`: fills a seller's account in the sandbox, and takes a picture of each
 * screen on a phone and a desktop, light and dark, or of those whose names contain a PART. Writes the chosen ones into the README,
 * the first page and the store pages.
 */
const { values } = parseArgs({
  options: { folder: { type: 'string', default: '.cache/pictures' }, only: { type: 'string', multiple: true } },
})
const folder = join(root, values.folder)
const widths = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const schemes = ['light', 'dark'] as const
/** Whether a picture is to be made. */
const isWanted = ({ name }: { name: string }) => !values.only || values.only.some((part) => name.includes(part))
const say = (line: string) => process.stdout.write(`${line}\n`)

/** Files of the project that are made from pictures. Stores take PNG alone. */
const published: Record<string, string> = {
  'server/pages/assets/inventory-light.webp': 'inventory-search-desktop-light',
  'server/pages/assets/inventory-dark.webp': 'inventory-search-desktop-dark',
  'server/pages/assets/home-phone-light.webp': 'home-phone-light',
  'server/pages/assets/home-phone-dark.webp': 'home-phone-dark',
  'docs/images/popup.webp': 'popup-light',
  'docs/store/1-home.png': 'home-desktop-light',
  'docs/store/2-inventory.png': 'inventory-search-desktop-light',
  'docs/store/3-list.png': 'list-desktop-light',
  'docs/store/4-import.png': 'closet-desktop-light',
  'docs/store/5-item.png': 'item-desktop-dark',
}

/** Waits until a page shows all that it will: code, data, pictures. */
async function settle(page: Page): Promise<void> {
  const isShown = () =>
    !document.querySelector('main:not([hidden])[aria-busy="true"], [aria-busy="true"] > .skeleton') &&
    // Those out of sight may be lazy.
    [...document.images].every(
      (image) => image.complete || !image.checkVisibility() || image.getBoundingClientRect().top > innerHeight,
    )
  await page.waitForFunction(isShown, { timeout: 10_000 }).catch(() => say(`  ${page.url()} is not quiet`))
  await new Promise((resolve) => setTimeout(resolve, 600))
}

/** Takes a picture in each width and color scheme. */
async function photograph(page: Page, name: string, sizes: Partial<typeof widths> = widths): Promise<void> {
  for (const [device, size] of Object.entries(sizes)) {
    await page.setViewport(size)
    for (const scheme of schemes) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      await settle(page)
      await page.screenshot({
        path: join(folder, `${name}-${device}-${scheme}.png`),
        fullPage: name.startsWith('public-'),
      })
    }
  }
  say(`  ${name}`)
}

const startedMs = performance.now()
await mkdir(folder, { recursive: true })
say('Building the extension and the web app …')
const [extension] = await Promise.all([buildExtension('chrome', { output: '.cache/builds' }), buildWebApart()])
const directory = await mkdtemp(join(tmpdir(), 'hapax-pictures-'))
const closing: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })]
try {
  const database = await startEmbeddedDatabase(directory, { throwaway: true })
  closing.unshift(() => database.stop())
  await migrate(database.url)
  const server = await startLabServer(database.url, join(directory, 'data'))
  closing.unshift(() => server.close())
  const site = await startPoshmark({ username: seller.closet, listings: 24 })
  closing.unshift(() => site.close())
  const browser = await launchBrowser({ extension })
  closing.unshift(() => browser.close())
  const page = await browser.newPage()
  page.on('dialog', (dialog) => void dialog.accept())

  say(`Pictures of ${server.url}, into ${folder}`)
  for (const { name, path } of publicPages.filter(isWanted)) {
    await page.goto(`${server.url}${path}`)
    await photograph(page, name)
  }
  const world = await furnish({ url: server.url, browser, page, photograph })
  for (const screen of screens.filter(isWanted)) {
    // A fragment alone would keep the dialogs of the screen before.
    await page.goto('about:blank')
    await page.setViewport(widths.desktop)
    try {
      await page.goto(`${server.url}/app/#${screen.place(world)}`)
      await settle(page)
      await screen.open?.(page)
      await photograph(page, screen.name)
    } catch (error) {
      process.exitCode = 1
      say(`  ${screen.name} has no picture: ${error}`)
    }
  }
  const popup = await browser.openPopup()
  await popup.setViewport({ width: 380, height: 560, deviceScaleFactor: 2 })
  for (const scheme of schemes) {
    await popup.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await settle(popup)
    await popup.screenshot({ path: join(folder, `popup-${scheme}.png`) })
  }
  if (browser.errors.length > 0) say(`Errors in the pages:\n${browser.errors.join('\n')}`)
  await publish()
  say(`${Math.round((performance.now() - startedMs) / 1000)} s`)
} finally {
  for (const close of closing) await close().catch((error: unknown) => say(String(error)))
}
process.exit()

async function publish(): Promise<void> {
  for (const [file, name] of Object.entries(published).filter(([, name]) => isWanted({ name }))) {
    const picture = sharp(await readFile(join(folder, `${name}.png`)))
    await mkdir(join(root, file, '..'), { recursive: true })
    if (file.endsWith('.webp')) await picture.webp({ quality: 82, effort: 6 }).toFile(join(root, file))
    else await picture.flatten().png({ palette: true, colours: 192, effort: 10 }).toFile(join(root, file))
  }
  const icon = await readFile(join(root, 'server/pages/assets/icon.svg'))
  await sharp(icon, { density: 600 }).resize(128, 128).png().toFile(join(root, 'docs/store/icon-128.png'))
}
