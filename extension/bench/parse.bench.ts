import { load } from 'cheerio'
import { poshmark } from '../platforms/poshmark/index.ts'
import { tabPost } from '../testing/tab.ts'

/**
 * A closet page of 48 posts, read to normalised listings, beside a bare JSON.parse of the same state (found by its
 * position), and beside cheerio's bare load of the page. The page is padded to the size of a real one.
 */
const posts = Array.from({ length: 48 }, (_, n) =>
  tabPost(n, {
    description: `A thing of number ${n}. `.repeat(12),
    pictures: [0, 1, 2, 3].map((one) => ({ id: `${n}-${one}`, url_large: `https://pictures.test/${n}/${one}` })),
  }),
)
const list = { data: posts, more: { next_max_id: 48 } }
const state = JSON.stringify({
  pm_version: '2026.41.02',
  $_closet: { closetUserInfo: { data: { username: 'seller' } }, listingsPostData: list },
})
const markup = posts
  .map(
    (post) =>
      `<div class="card"><a href="/listing/${post.id}"><img src="https://pictures.test/x"></a><p>${post.title}</p></div>`,
  )
  .join('')
  .repeat(6)
const html = `<!doctype html><html><body>${markup}<script>window.__INITIAL_STATE__=${state};(function(){}());</script></body></html>`

const shop = { username: 'seller', url: 'https://poshmark.com/closet/seller' }
const cursor = poshmark.begin(shop)
const request = poshmark.nextRequest(cursor)
const answer = { url: request?.url ?? shop.url, status: 200, text: html }

function perSecond(work: () => unknown): number {
  for (let warm = 0; warm < 50; warm++) work()
  let runs = 0
  const begun = performance.now()
  while (performance.now() - begun < 1_500) {
    work()
    runs++
  }
  return (runs / (performance.now() - begun)) * 1000
}

const marker = 'window.__INITIAL_STATE__='
const bare = perSecond(() => {
  const from = html.indexOf(marker) + marker.length
  return JSON.parse(html.slice(from, html.indexOf(';(function()', from)))
})
const whole = perSecond(() => poshmark.take(cursor, answer))
const dom = perSecond(() => load(html))

const read = poshmark.take(cursor, answer)
console.log(`page of ${Math.round(html.length / 1024)} KB, 48 posts:`, JSON.stringify(read).length, 'characters read')
const print = (what: string, rate: number) =>
  console.log(`${what.padEnd(44)} ${rate.toFixed(0).padStart(7)} pages/s  ${(bare / rate).toFixed(2)} x the bare parse`)
print('find and JSON.parse', bare)
print('read: found, parsed, checked, normalised', whole)
print('cheerio load alone', dom)
