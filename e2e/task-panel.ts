import { mkdir } from 'node:fs/promises'
import type { CDPSession, Page } from 'puppeteer'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Listing } from '#shared/listing.ts'
import { type ExtensionSlug, platformOf } from '#shared/platforms.ts'
import { named, pictures } from './fixture.ts'
import type { AnySite, SiteFixture } from './site-fixture.ts'
import type { FormModel } from './sites/forms/form-kit.ts'
import { stepTimeoutMs } from './timeouts.ts'

const forms: Record<ExtensionSlug, string> = {
  poshmark: 'https://poshmark.com/create-listing',
  mercari: 'https://www.mercari.com/sell/',
  depop: 'https://www.depop.com/products/create/',
}

/** Returns a listing of an item on eBay. */
export function sampleCoat(changes: Partial<Listing> = {}): Listing {
  return {
    listing_id: '110000000001',
    url: 'https://www.ebay.com/itm/110000000001',
    title: 'Wool coat, green',
    description: 'A wool coat in green.\nKept folded, smoke-free home.',
    price_minor: 4_500,
    currency: 'USD',
    state: 'available',
    sku: 'COAT-7',
    brand: 'Hollow & Reed',
    size: 'M',
    condition: 'Like new',
    category: 'Women > Jackets & Coats > Trench Coats',
    colors: ['Green'],
    images: [0, 1, 2].map((n) => `https://i.ebayimg.com/images/g/coat-${n}/s-l1600.jpg`),
    ...changes,
  }
}

/** Opens a task to list an item on a platform and waits for it in the popup. */
export async function addListTask(
  fixture: SiteFixture<AnySite>,
  platform: ExtensionSlug,
  listing: Listing,
): Promise<ExtensionTask> {
  const [task] = await addListTasks(fixture, platform, [listing])
  return task!
}

/** Opens tasks to list items on a platform at once, since loading the popup for each takes longer. */
export function addListTasks(
  fixture: SiteFixture<AnySite>,
  platform: ExtensionSlug,
  listings: Listing[],
): Promise<ExtensionTask[]> {
  const items = listings.map((listing) => inventoryItem('ebay', listing))
  fixture.hapax.server.inventory.push(...items)
  const tasks = items.map(({ uid }, index) => ({
    kind: 'list' as const,
    platform,
    inventory_item_uid: uid,
    title: listings[index]!.title,
    reason: 'You asked for it',
    url: forms[platform],
    listing_id: null,
  }))
  return addTasks(fixture, tasks)
}

/** Opens a task to take down a listing that is live on the site. */
export async function addDelistTask(
  fixture: SiteFixture<AnySite>,
  platform: ExtensionSlug,
  listing: { listing_id: string; url: string; title: string } & Partial<ExtensionTask>,
): Promise<ExtensionTask> {
  const uid = newOrderedId('inv')
  const given = { kind: 'delist' as const, platform, inventory_item_uid: uid, reason: 'Sold on eBay', ...listing }
  const [task] = await addTasks(fixture, [given])
  return task!
}

async function addTasks(
  { hapax, popup }: SiteFixture<AnySite>,
  given: Pick<ExtensionTask, 'kind' | 'platform' | 'inventory_item_uid' | 'title' | 'reason' | 'url' | 'listing_id'>[],
): Promise<ExtensionTask[]> {
  const tasks = given.map<ExtensionTask>((task) => ({
    uid: newOrderedId('tsk'),
    status: 'open',
    image: null,
    price_minor: null,
    currency: null,
    created_at: new Date().toISOString(),
    ...task,
  }))
  hapax.server.tasks.push(...tasks)
  await popup.bringToFront()
  await popup.reload()
  for (const task of tasks) await popup.waitForSelector(buttonOf(task))
  return tasks
}

/** Returns the selector of what opens the task. */
function buttonOf({ kind, platform, title }: ExtensionTask): string {
  const { name } = platformOf(platform)
  return kind === 'list'
    ? named('button', `Open form: List it on ${name}, ${title}`)
    : named('link', `Open: Take it down on ${name}, ${title}`)
}

/** Presses "Open form" in the popup and returns the tab it opens. */
export async function openTask({ chrome, popup }: SiteFixture<AnySite>, task: ExtensionTask): Promise<Page> {
  const known = new Set(chrome.context.targets())
  await popup.bringToFront()
  // Waits until the row stands still: a press beside it, as a row above it comes or goes, would open nothing.
  await popup.locator(buttonOf(task)).click()
  const page = await chrome.opened(
    `the page of “${task.title}”`,
    (one) => !known.has(one) && one.url().startsWith('https://'),
  )
  await page.setViewport({ width: 1000, height: 700 })
  await page.bringToFront()
  return page
}

/** One line of the panel: a field, its result and the reason. */
export interface PanelLine {
  sign: string
  label: string
  why: string
}

interface Node {
  nodeName: string
  nodeValue: string
  attributes?: string[]
  children?: Node[]
  shadowRoots?: Node[]
}

/** Reads the panel in a page with the browser's tools, since scripts of the page cannot. */
export async function readPanel(page: Page): Promise<{ status: string; note: string; lines: PanelLine[] } | null> {
  const session = await page.createCDPSession()
  const host = await readHost(session).finally(() => session.detach())
  if (!host) return null
  const part = (name: string) => {
    const node = find(host, (one) => attribute(one, 'class') === name)
    return node && !hasAttribute(node, 'hidden') ? textOf(node) : ''
  }
  const lines = findAll(host, (node) => node.nodeName === 'LI').flatMap((line) => {
    const words = find(line, (node) => node.nodeName === 'DIV')!
    const [label, why] = findAll(words, (node) => node.nodeName === 'P').map(textOf)
    const sign = attribute(line, 'data-sign') ?? ''
    // Fields filled in without remarks share one line.
    const labels = sign === 'filled' ? (label ?? '').split(', ') : [label ?? '']
    return labels.map((one) => ({ sign, label: one, why: why ?? '' }))
  })
  return { status: part('status'), note: part('note'), lines }
}

/** Reads the panel alone: a test asks many times, and the page around it may be large. */
async function readHost(session: CDPSession): Promise<Node | null> {
  const { root } = await session.send('DOM.getDocument', { depth: 0 })
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'hapax-form' })
  if (nodeId === 0) return null
  return (await session.send('DOM.describeNode', { nodeId, depth: -1, pierce: true })).node
}

function find(node: Node, fits: (node: Node) => boolean): Node | null {
  return findAll(node, fits)[0] ?? null
}

function findAll(node: Node, fits: (node: Node) => boolean): Node[] {
  const inner = [...(node.children ?? []), ...(node.shadowRoots ?? [])].flatMap((one) => findAll(one, fits))
  return fits(node) ? [node, ...inner] : inner
}

function attribute(node: Node, name: string): string | null {
  const at = (node.attributes ?? []).findIndex((one, index) => index % 2 === 0 && one === name)
  return at < 0 ? null : node.attributes![at + 1]!
}

const hasAttribute = (node: Node, name: string) => attribute(node, name) !== null

function textOf(node: Node): string {
  return node.nodeName === '#text' ? node.nodeValue : (node.children ?? []).map(textOf).join('')
}

/** Waits until the panel matches. */
export async function waitForPanel(page: Page, words: RegExp) {
  const until = Date.now() + stepTimeoutMs
  for (;;) {
    const panel = await readPanel(page).catch(() => null)
    if (panel && words.test(`${panel.status} ${panel.note}`)) return panel
    if (Date.now() > until) throw new Error(`The panel of ${page.url()} says ${JSON.stringify(panel)}, not ${words}.`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Takes pictures of a page with the panel in light, dark and narrow (SCREENSHOTS=folder). */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (!pictures) return
  await mkdir(pictures, { recursive: true })
  const views = [
    ['light', 1_000, 700],
    ['dark', 1_000, 700],
    ['light', 390, 700],
  ] as const
  for (const [scheme, width, height] of views) {
    await page.setViewport({ width, height })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    // Highlights follow the page with a delay.
    await new Promise((resolve) => setTimeout(resolve, 600))
    await page.screenshot({ path: `${pictures}/${name}-${scheme}-${width}.png` })
  }
  await page.setViewport({ width: 1_000, height: 700 })
  await page.emulateMediaFeatures([])
}

/** Returns what the form's own scripts hold, and which of its buttons were pressed. */
export function readForm(page: Page): Promise<{ model: FormModel; presses: string[] }> {
  return page.evaluate(() => structuredClone(Reflect.get(globalThis, 'form')))
}
