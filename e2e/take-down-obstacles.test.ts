import { appendFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { TakeDownEntry } from '#extension/messaging/take-downs.ts'
import type { TakeDownResult } from '#shared/contract/selling/tasks.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { inWorker } from './fixture.ts'
import { startWithListings } from './live-listing.ts'
import { type AnySite, openPage, prepareSiteFixtures, type SiteFixture } from './site-fixture.ts'
import type { DepopSite } from './sites/depop.ts'
import { endingPages, halfLoaded, type Obstacle, obstacles } from './sites/ending-pages.ts'
import { intercept, type SiteHost } from './sites/https-site.ts'
import type { MercariSite } from './sites/mercari.ts'
import type { PoshmarkSite } from './sites/poshmark.ts'
import { addDelistTask } from './task-panel.ts'

const fixtures = prepareSiteFixtures((site?: AnySite) => Promise.resolve(site!))
afterEach(() => fixtures.signOutAll())

const hosts: Record<ExtensionSlug, SiteHost> = {
  poshmark: 'poshmark.com',
  mercari: 'www.mercari.com',
  depop: 'www.depop.com',
}

/** Where a site sends its seller instead of the listing's page. */
const hubs: Record<ExtensionSlug, string> = {
  poshmark: '/closet/samplecloset',
  mercari: '/mypage/listings/active/',
  depop: '/sellinghub/selling/active/',
}

/** How each obstacle ends. Others than these are ended by Hapax. */
const asked: Partial<Record<Obstacle, TakeDownResult>> = {
  ...({ offer: 'open_offer', signed_out: 'signed_out', captcha: 'challenge' } as const),
  ...({ sold_there: 'sold_there', already_ended: 'already_down', unknown_page: 'no_button' } as const),
  native_offer: 'no_button',
}

/** The seller's pace, and a file for a line about each attempt: PACE=1000 TABLE=file measures the usual one. */
const pace = Number(process.env.PACE ?? 0)
const table = process.env.TABLE

async function open(platform: ExtensionSlug, obstacle: Obstacle) {
  const live = await startWithListings(platform)
  const fixture = await fixtures.start(live.site)
  if (pace > 0) await inWorker(fixture, `chrome.storage.local.set({ settings: { pace_ms: ${pace} } })`)
  // Its own pages say who is signed in.
  if (platform === 'mercari') await (await openPage(fixture, `https://${hosts.mercari}${hubs.mercari}`)).close()
  const [listing, another] = live.listings as [(typeof live.listings)[0], (typeof live.listings)[0]]
  const idOf = (one: { listing_id: string; url: string }) =>
    platform === 'depop' ? new URL(one.url).pathname.split('/')[2]! : one.listing_id
  const slowMs = 0.6 * (2_000 + 8 * pace)
  const ending = { id: idOf(listing), other: idOf(another), title: listing.title, slowMs }
  const pages = endingPages(platform, obstacle, ending)
  const presses: { what: string; word: string }[] = []
  let loads = 0
  intercept(hosts[platform], async (url, request, own) => {
    if (url.pathname === '/stand-in/press') {
      let body = ''
      for await (const part of request) body += String(part)
      presses.push(JSON.parse(body))
      return { body: '' }
    }
    if (url.pathname === '/stand-in/end') {
      live.remove()
      return { body: '' }
    }
    const body = request.headers['sec-fetch-dest'] === 'document' ? pages[url.pathname] : undefined
    if (body === undefined || (obstacle === 'signed_out' && url.pathname !== '/login/')) return own(url, request)
    if (obstacle === 'hub' && url.pathname === new URL(listing.url).pathname) {
      return { status: 302, headers: { location: hubs[platform] }, body: '' }
    }
    const { headers } = await own(url, request)
    return { ...(headers ? { headers } : {}), body: obstacle === 'half_loaded' && ++loads === 1 ? halfLoaded : body }
  })
  arrange(platform, live.site, obstacle, live.remove)
  const task = await addDelistTask(fixture, platform, { ...listing, sold_elsewhere: true, attempt: null })
  return { fixture, live, listing, presses, task }
}

/** Brings a site into the state of an obstacle that is not of its pages. */
function arrange(platform: ExtensionSlug, site: AnySite, obstacle: Obstacle, remove: () => void): void {
  const [poshmark, mercari, depop] = [site as PoshmarkSite, site as MercariSite, site as DepopSite]
  if (obstacle === 'already_ended') remove()
  if (obstacle === 'captcha') Object.assign(site, { fault: 'challenge' })
  if (obstacle === 'signed_out')
    Object.assign(site, platform === 'poshmark' ? { signedInAs: null } : { signedIn: false })
  if (obstacle !== 'sold_there') return
  if (platform === 'poshmark') poshmark.closets.get('samplecloset')!.posts[0]!.inventory = { status: 'sold_out' }
  if (platform === 'mercari') mercari.items[0]!.status = 'trading'
  if (platform === 'depop') depop.products[0]!.sold = true
}

const readLog = async ({ popup }: SiteFixture<AnySite>): Promise<TakeDownEntry[]> =>
  popup.evaluate(
    async () =>
      (await Reflect.get(globalThis, 'chrome').runtime.sendMessage({ name: 'takeDowns.log', request: {} })).value,
  )

describe.each(['poshmark', 'mercari', 'depop'] as const)('an automatic take-down on %s', (platform) => {
  it.each(obstacles)('ends, or asks with the listing open: %s', async (obstacle) => {
    const { fixture, live, listing, presses, task } = await open(platform, obstacle)
    const begun = Date.now()
    await fixture.popup.evaluate(
      (request) => Reflect.get(globalThis, 'chrome').runtime.sendMessage({ name: 'takeDowns.switch', request }),
      { platform, on: true },
    )
    await expect.poll(() => readLog(fixture), { interval: 50 }).toHaveLength(1)
    const [entry] = await readLog(fixture)
    const seconds = (Date.now() - begun) / 1_000
    const words = presses.map(({ word }) => word)
    const expected = asked[obstacle] ?? 'ended'
    const isDown = expected === 'ended' || expected === 'already_down'
    if (table) {
      await appendFile(
        table,
        `${[platform, obstacle, entry!.result, seconds.toFixed(1), words.join(' > '), entry!.seen].join(' | ')}\n`,
      )
      // A busy machine takes longer.
      expect(seconds).toBeLessThan(isDown ? 60 : 20)
    }
    expect(presses.filter(({ what }) => what === 'wrong')).toEqual([])
    expect(entry).toMatchObject({ result: expected, task: task.uid })
    expect([live.isUp(listing), entry!.closed]).toEqual([!isDown, isDown])
  })
})
