import { load } from 'cheerio'
import * as depopWorld from '#e2e/sites/depop-world.ts'
import * as mercariWorld from '#e2e/sites/mercari-world.ts'
import * as poshmarkWorld from '#e2e/sites/poshmark-world.ts'
import { depop } from '../platforms/depop/index.ts'
import { mercari } from '../platforms/mercari/index.ts'
import type { ScrapePlatform } from '../platforms/port.ts'
import { poshmark } from '../platforms/poshmark/index.ts'
import '../worker/no-eval.ts'

/**
 * Pages read to normalised listings, beside the bare finding and parsing of the same state (by its position in the
 * text), and beside cheerio's bare load of the same page. The goal: reading stays within twice the bare parse. Rounds of
 * the three take turns, and the fastest counts: what the work takes when nothing else has the machine.
 */
interface Subject {
  name: string
  text: string
  bare: () => unknown
  read: () => number
}

const subjects = [closetPage(), postList(), itemPage(), depopList()]
const only = process.argv[2]

for (const { name, text, bare, read } of subjects.filter((one) => !only || one.name.includes(only))) {
  const works = { bare, read, dom: () => load(text) }
  const best = { bare: Infinity, read: Infinity, dom: Infinity }
  for (let round = 0; round < 60; round++) {
    for (const key of ['bare', 'read', 'dom'] as const) {
      if (key === 'dom' && round % 6 > 0) continue
      best[key] = Math.min(best[key], msOf(works[key], key === 'dom' ? 3 : 40))
    }
  }
  console.log(`\n${name}: ${Math.round(text.length / 1024)} KB, ${read()} listings`)
  const print = (what: string, ms: number) =>
    console.log(
      `  ${what.padEnd(44)} ${(1_000 / ms).toFixed(0).padStart(7)} pages/s  ${(ms / best.bare).toFixed(2)} x the bare parse`,
    )
  print('find and JSON.parse', best.bare)
  print('read: found, parsed, checked, normalised', best.read)
  print('cheerio load alone', best.dom)
}

/** Milliseconds that one of `calls` takes on the average. */
function msOf(work: () => unknown, calls: number): number {
  const begun = performance.now()
  for (let call = 0; call < calls; call++) work()
  return (performance.now() - begun) / calls
}

function reader(platform: ScrapePlatform, cursor: string, text: string): () => number {
  const answer = { url: platform.nextRequest(cursor)!.url, status: 200, text }
  return () => platform.take(cursor, answer).listings.length
}

/** A closet's page with 48 posts in its state, in the shape of the captures. */
function closetPage(): Subject {
  const { posts, username, uid } = poshmarkWorld.buildCloset('seller', 48, 1)
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
  const marker = 'window.__INITIAL_STATE__='
  const text = `<!doctype html><html><body>${tiles.join('')}<script>${marker}${state};(function(){var s;}());</script></body></html>`
  const bare = () => {
    const from = text.indexOf(marker) + marker.length
    return JSON.parse(text.slice(from, text.indexOf(';(function()', from)))
  }
  const cursor = poshmark.begin({ username, url: '' })
  return { name: 'Poshmark, closet page', text, bare, read: reader(poshmark, cursor, text) }
}

/** The same posts as the site's own JSON. */
function postList(): Subject {
  const { posts, username } = poshmarkWorld.buildCloset('seller', 48, 1)
  const text = JSON.stringify({ data: posts, more: { next_max_id: 48 } })
  const { cursor } = poshmark.take(poshmark.begin({ username, url: '' }), {
    url: 'https://poshmark.com/closet/seller',
    status: 200,
    text: '',
  })
  return { name: 'Poshmark, JSON list', text, bare: () => JSON.parse(text), read: reader(poshmark, cursor, text) }
}

/** An item's page with its Apollo cache, as captured. */
function itemPage(): Subject {
  const seller = mercariWorld.buildSeller(910_000_017)
  const item = mercariWorld.buildItem(seller, 5, { status: 'on_sale' })
  const text = mercariWorld.pageWithState(
    'An item',
    mercariWorld.itemState(item),
    mercariWorld.itemElements(item, true),
  )
  const marker = 'id="__NEXT_DATA__"'
  const bare = () => {
    const from = text.indexOf('>', text.indexOf(marker)) + 1
    return JSON.parse(text.slice(from, text.indexOf('</script', from)))
  }
  const url = `https://www.mercari.com/us/item/${item.id}/`
  const listing = { listing_id: item.id, url } as Parameters<typeof mercari.beginListings>[1][number]
  const cursor = mercari.beginListings({ username: String(seller.id), id: String(seller.id), url: '' }, [listing])
  return { name: 'Mercari, item page', text, bare, read: reader(mercari, cursor, text) }
}

/** A page of a shop's products as the site's own JSON. */
function depopList(): Subject {
  const shop = { id: 7_654_321, username: 'sample_shop' }
  const objects = Array.from({ length: 60 }, (_, n) => depopWorld.buildProduct(shop, n, { sold: false }))
    // One picture may be the first of many: such a product is read by itself, with a request of its own.
    .filter((product) => depopWorld.picturesOf(product).length > 1)
    .slice(0, 24)
    .map((product) => depopWorld.productJson(product))
  const text = JSON.stringify({ objects, page_info: { has_more: true, last: '24' } })
  const cursor = depop.begin({ username: shop.username, id: String(shop.id), url: '' })
  return { name: 'Depop, product list', text, bare: () => JSON.parse(text), read: reader(depop, cursor, text) }
}
