import { existsSync } from 'node:fs'
import { parseList } from '#extension/platforms/mercari/parse.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import {
  parseItemAnswer,
  readEntry,
  readItem,
  readPost,
  readPosts,
  readProduct,
  readText,
  searchEntries,
} from '#extension/testing/captured.ts'
import { Listing } from '#shared/listing.ts'

/**
 * `npm run lab -- captures`: prints the fields read from each real capture, and the reasons for missing ones. The
 * captures.real.test.ts files check the values.
 */
const folder = new URL('../../../../shared/data/', import.meta.url)
const read = (name: string) => readText(folder, name)
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
row('poshmark/closet_page_1_has_next.json', readPosts(read('poshmark/closet_page_1_has_next.json'), shop).listings)
const composite = 'poshmark/COMPOSITE_closet_html_page_1.html'
row(
  composite,
  poshmark.readAnswer(poshmark.begin(shop), { url: shop.url, status: 200, text: read(composite) }).listings,
)
for (const name of ['poshmark/post_detail_1.json', 'poshmark/post_detail_real_2025-08_hat.json']) {
  row(name, [readPost(read(name))])
}
for (const id of [
  'active-m14283608971.html',
  'active-m74693959349.html',
  'api-active-m45718142917.json',
  'api-sold-m87013616167.json',
]) {
  const name = `mercari-us/item-${id}`
  row(name, [readItem(read(name), /m\d+/.exec(id)![0], '1')])
}
for (const name of ['mercari-us/search-payload-clothing.json', 'mercari-us/search-payload-with-sold.json']) {
  // List entries: the item's page is read too, unless it is gone.
  row(
    name,
    searchEntries(read(name)).map((entry) => readEntry(entry, true)),
  )
}
for (const name of ['item_0.json', 'items_0.json', 'search_fetch_next_page_0.json'].map((one) => `mercari-jp/${one}`)) {
  const body = JSON.stringify(JSON.parse(read(name)).body)
  const understood = parseItemAnswer(body) !== null || parseList(body) !== null
  print(`| ${name} | ${understood ? 'READ' : 'none'} | none | another system: its yen must never be read as cents |`)
}
for (const name of ['depop/search_response_2026-07_real_one_object.json', 'depop/edit_listing_read_2026-08.json']) {
  row(name, [readProduct(read(name)).listing])
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
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
