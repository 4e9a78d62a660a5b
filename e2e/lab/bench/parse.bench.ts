import { load } from 'cheerio'
import * as depopData from '#e2e/sites/depop-data.ts'
import * as mercariData from '#e2e/sites/mercari-data.ts'
import * as poshmarkData from '#e2e/sites/poshmark-data.ts'
import { depop } from '#extension/platforms/depop/index.ts'
import { mercari } from '#extension/platforms/mercari/index.ts'
import type { ScrapePlatform } from '#extension/platforms/port.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import { closetPage as closetPageOf, readText } from '#extension/testing/captured.ts'
import '#extension/background/no-eval.ts'

/**
 * Compares reading pages into listings with a bare parse of the same state, and with cheerio loading the same page, which
 * is why the readers search strings. The three run in turns. CPU time of all threads is measured, so other load on
 * the machine changes little.
 */
interface Subject {
  name: string
  text: string
  bare: () => unknown
  read: () => number
}

const subjects = [closetPage(), postList(), itemPage(), depopList(), ...captured()]
const only = process.argv[2]
/** CPU time of each measurement, in ms. */
const cpuMs = 1_000

for (const { name, text, bare, read } of subjects.filter((one) => !only || one.name.includes(only))) {
  const works = { bare, read, dom: () => load(text) }
  const cpu = { bare: 0, read: 0, dom: 0 }
  const calls = { bare: 0, read: 0, dom: 0 }
  for (let round = 0; cpu.read < cpuMs || cpu.bare < cpuMs / 4; round++) {
    for (const key of ['bare', 'read', 'dom'] as const) {
      if (key === 'dom' && round % 5 > 0) continue
      const count = key === 'dom' ? 2 : Math.ceil(100_000 / text.length) * 20
      const begun = process.cpuUsage()
      for (let call = 0; call < count; call++) works[key]()
      const { user, system } = process.cpuUsage(begun)
      // Skip warm-up rounds.
      if (round < 10) continue
      cpu[key] += (user + system) / 1_000
      calls[key] += count
    }
  }
  console.log(`\n${name}: ${Math.round(text.length / 1024)} KB, ${read()} listings`)
  const print = (what: string, key: keyof typeof cpu) => {
    const [one, parse] = [cpu[key] / calls[key], cpu.bare / calls.bare]
    console.log(
      `  ${what.padEnd(42)} ${(1_000 / one).toFixed(0).padStart(7)} pages/s  ${(one / parse).toFixed(2)} x the bare parse`,
    )
  }
  print('find and JSON.parse', 'bare')
  print('read: found, parsed, checked, normalised', 'read')
  print('cheerio load alone', 'dom')
}

function reader(platform: ScrapePlatform, cursor: string, text: string): () => number {
  const answer = { url: platform.nextRequest(cursor)!.url, status: 200, text }
  return () => platform.readAnswer(cursor, answer).listings.length
}

/** Returns a closet page with 48 posts in its state, shaped like the captures. */
function closetPage(): Subject {
  const { posts, username, uid } = poshmarkData.buildCloset('seller', 48, 1)
  const state = JSON.stringify({
    $_config: { pm_version: '2026.41.02' },
    $_closet: {
      closetUserInfo: { data: { id: uid, username } },
      listingsPostData: { data: posts, more: { next_max_id: 48 } },
    },
  }).replace(/</g, '\\u003C')
  const tiles = posts.map(
    ({ id, title }) =>
      `<div class="tile col-x12 col-l6"><a data-et-name="listing" data-et-prop-listing_id="${id}" href="/listing/x-${id}"><img src="https://pictures.test/${id}"><span class="tile__title">${title}</span></a></div>`,
  )
  const script = `<script>window.__INITIAL_STATE__=${state};(function(){var s;}());</script>`
  const text = `<!doctype html><html><body>${tiles.join('')}${script}</body></html>`
  return closetSubject('Poshmark, closet page', text, username)
}

function closetSubject(name: string, text: string, username: string): Subject {
  const marker = 'window.__INITIAL_STATE__='
  const bare = () => {
    const from = text.indexOf(marker) + marker.length
    return JSON.parse(text.slice(from, text.indexOf(';(function()', from)))
  }
  const cursor = poshmark.begin({ username, url: '' })
  return { name, text, bare, read: reader(poshmark, cursor, text) }
}

/** Returns the same posts as the site's JSON. */
function postList(): Subject {
  const { posts, username } = poshmarkData.buildCloset('seller', 48, 1)
  const text = JSON.stringify({ data: posts, more: { next_max_id: 48 } })
  const { cursor } = poshmark.readAnswer(poshmark.begin({ username, url: '' }), {
    url: 'https://poshmark.com/closet/seller',
    status: 200,
    text: '',
  })
  return { name: 'Poshmark, JSON list', text, bare: () => JSON.parse(text), read: reader(poshmark, cursor, text) }
}

/** Returns pages and answers that are shaped like captures, with all the members that the readers skip. */
function captured(): Subject[] {
  const read = (slug: string, name: string) =>
    readText(new URL(`../../../extension/platforms/${slug}/fixtures/captured/`, import.meta.url), name)
  const closet = closetPageOf(read('poshmark', 'closet-page.json'), 'willow_attic')
  const item = read('mercari', 'item-active-toy.html')
  const search = JSON.parse(read('depop', 'search.json'))
  // Repeat the product with a second picture, or it would need a detail read.
  const product = search.objects[0]
  const objects = Array.from({ length: 24 }, (_, n) => ({
    ...product,
    id: product.id + n,
    pictures: [...product.pictures, { formats: { P0: { url: 'https://pictures.test/2.jpg' } } }],
  }))
  return [
    closetSubject('Poshmark, captured posts', closet, 'willow_attic'),
    itemSubject('Mercari, captured item', item, '692699473', 'm46151598129'),
    productsSubject('Depop, captured product', JSON.stringify({ ...search, objects }), 'moss', String(product.user_id)),
  ]
}

/** Returns an item page with its Apollo cache, shaped like the captures. */
function itemPage(): Subject {
  const seller = mercariData.buildSeller(910_000_017)
  const item = mercariData.buildItem(seller, 5, { status: 'on_sale' })
  const text = mercariData.pageWithState('An item', mercariData.itemState(item), mercariData.itemElements(item, true))
  return itemSubject('Mercari, item page', text, String(seller.id), item.id)
}

function itemSubject(name: string, text: string, seller: string, id: string): Subject {
  const marker = 'id="__NEXT_DATA__"'
  const bare = () => {
    const from = text.indexOf('>', text.indexOf(marker)) + 1
    return JSON.parse(text.slice(from, text.indexOf('</script', from)))
  }
  const listing = { listing_id: id } as Parameters<typeof mercari.beginListings>[1][number]
  const cursor = mercari.beginListings({ username: seller, id: seller, url: '' }, [listing])
  return { name, text, bare, read: reader(mercari, cursor, text) }
}

/** Returns a page of a shop's products as the site's JSON. */
function depopList(): Subject {
  const shop = { id: 7_654_321, username: 'sample_shop' }
  const objects = Array.from({ length: 60 }, (_, n) => depopData.buildProduct(shop, n, { sold: false }))
    // A product with a single picture would need a detail read.
    .filter((product) => depopData.picturesOf(product).length > 1)
    .slice(0, 24)
    .map((product) => depopData.productJson(product))
  const text = JSON.stringify({ objects, page_info: { has_more: true, last: '24' } })
  return productsSubject('Depop, product list', text, shop.username, String(shop.id))
}

function productsSubject(name: string, text: string, username: string, id: string): Subject {
  const cursor = depop.begin({ username, id, url: '' })
  return { name, text, bare: () => JSON.parse(text), read: reader(depop, cursor, text) }
}
