import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { normaliseProduct } from '#extension/platforms/depop/normalise.ts'
import { parsePage, parseProduct, type RawProduct } from '#extension/platforms/depop/parse.ts'
import { normaliseItem } from '#extension/platforms/mercari/normalise.ts'
import {
  findShownPrice,
  parseItemAnswer,
  parseItemState,
  parseList,
  rawItem,
} from '#extension/platforms/mercari/parse.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import { normalisePost } from '#extension/platforms/poshmark/normalise.ts'
import { parsePostDetail } from '#extension/platforms/poshmark/parse.ts'
import { Listing } from '#shared/listing.ts'

/**
 * `npm run captures`: prints the fields read from each real capture, and the reasons for missing ones. The
 * captures.test.ts files check the values.
 */
const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const read = (name: string) => readFileSync(folder + name, 'utf8')
const fields = Object.keys(Listing.shape)

/** Reasons why a platform never has a field. */
const never: Record<string, Record<string, string>> = {
  poshmark: { sku: 'shown to its owner only', condition_notes: 'no such field' },
  'mercari-us': { sku: 'no such field', condition_notes: 'no such field', colors: 'not in these captures' },
  depop: {
    sku: 'in the sell form only',
    condition_notes: 'no such field',
    size: 'by number only where its seller reads it',
  },
}

if (!existsSync(folder)) throw new Error('The captures are expected in ../shared/data, which does not exist.')
print('| Capture | Listings | Fields read | Missing, and why |\n|---|---|---|---|')
const shop = { username: 'sampleuser02', url: 'https://poshmark.com/closet/sampleuser02' }
const answerOf = (name: string) => ({ url: shop.url, status: 200, text: read(name) })
const noState = poshmark.readAnswer(poshmark.begin(shop), { url: shop.url, status: 200, text: '<html></html>' }).cursor
row(
  'poshmark/closet_page_1_has_next.json',
  poshmark.readAnswer(noState, answerOf('poshmark/closet_page_1_has_next.json')).listings,
)
const composite = 'poshmark/COMPOSITE_closet_html_page_1.html'
row(composite, poshmark.readAnswer(poshmark.begin(shop), answerOf(composite)).listings)
for (const name of ['poshmark/post_detail_1.json', 'poshmark/post_detail_real_2025-08_hat.json']) {
  const parsed = parsePostDetail(read(name))
  row(name, parsed && 'data' in parsed ? [normalisePost(parsed.data)] : [])
}
for (const id of [
  'active-m14283608971.html',
  'active-m74693959349.html',
  'api-active-m45718142917.json',
  'api-sold-m87013616167.json',
]) {
  row(`mercari-us/item-${id}`, [readItem(`mercari-us/item-${id}`, /m\d+/.exec(id)![0])])
}
for (const name of ['mercari-us/search-payload-clothing.json', 'mercari-us/search-payload-with-sold.json']) {
  const entries = JSON.parse(read(name)).data.search.itemsList.map((one: unknown) => rawItem(one)!)
  const none = { state: null, elements: () => null, shownPrice: null, gone: true, listed: null }
  // List entries: the item's page is read too, unless it is gone.
  row(
    name,
    entries.map((summary: { id: string }) => normaliseItem({ ...none, id: summary.id, seller: '1', summary }).listing),
  )
}
for (const name of ['item_0.json', 'items_0.json', 'search_fetch_next_page_0.json'].map((one) => `mercari-jp/${one}`)) {
  const body = JSON.stringify(JSON.parse(read(name)).body)
  const understood = parseItemAnswer(body) !== null || parseList(body) !== null
  print(`| ${name} | ${understood ? 'READ' : 'none'} | none | another system: its yen must never be read as cents |`)
}
for (const name of ['depop/search_response_2026-07_real_one_object.json', 'depop/edit_listing_read_2026-08.json']) {
  row(name, [readProduct(name)])
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function readItem(name: string, id: string): Listing {
  const text = read(name)
  const page = name.endsWith('.html')
  const state = page ? parseItemState(text, id) : parseItemAnswer(text)
  const shownPrice = page ? findShownPrice(text) : null
  return normaliseItem({
    id,
    seller: '1',
    listed: null,
    state,
    summary: null,
    elements: () => null,
    shownPrice,
    gone: false,
  }).listing
}

function readProduct(name: string): Listing {
  const page = parsePage(read(name))
  const single = parseProduct(read(name))
  const found =
    page && 'data' in page ? (page.data.products[0] as RawProduct) : single && 'data' in single ? single.data : null
  if (!found) throw new Error(`${name} is not a product`)
  const username = found.slug.split('-')[0]!
  const known = { id: String(found.id), slug: found.slug, username, product: found, entry: null }
  return normaliseProduct({ ...known, page: () => null, gone: false, sold: null }).listing
}

function row(name: string, listings: readonly Listing[]): void {
  const counted = fields.map((field) => {
    const count = listings.filter((listing) => Reflect.get(listing, field) !== undefined).length
    return { field, count }
  })
  const all = listings.length * fields.length
  const filled = counted.reduce((sum, { count }) => sum + count, 0)
  const missing = counted
    .filter(({ count }) => count < listings.length)
    .map(({ field, count }) => {
      const why = never[name.split('/')[0]!]?.[field] ?? 'empty in the capture'
      return `${field}${listings.length > 1 ? ` (${listings.length - count})` : ''}: ${why}`
    })
  print(`| ${name} | ${listings.length} | ${filled} of ${all} | ${missing.join('; ')} |`)
}
