import { afterEach, describe, expect, it } from 'vitest'
import type { TakeDownEntry } from '#extension/messaging/take-downs.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { checkState, inWorker, named, openInventory, pictures } from './fixture.ts'
import { few, onDepop, onMercari, onPoshmark, type SiteWithListings } from './live-listing.ts'
import {
  type AnySite,
  expectNothingSecretLeft,
  openPage,
  prepareSiteFixtures,
  type SiteFixture,
} from './site-fixture.ts'
import { startDepop } from './sites/depop.ts'
import { startMercari } from './sites/mercari.ts'
import { startPoshmark } from './sites/poshmark.ts'
import { addDelistTask } from './task-panel.ts'

const fixtures = prepareSiteFixtures((site?: AnySite) => Promise.resolve(site!))
afterEach(() => fixtures.signOutAll())

/** Each site with a change that nobody expects, and how the attempt ends then. */
const cases = {
  poshmark: async () => {
    const live = onPoshmark(await startPoshmark({ listings: 3 }))
    return { live, words: ['Edit', 'Delete Listing', 'Yes'], ...challengeOn(live.site) }
  },
  mercari: async () => {
    const live = onMercari(await startMercari({ listings: few }))
    const dialog = '<div role="dialog"><p>Promote it instead?</p><button>Delete</button></div>'
    return {
      ...{ live, words: ['Edit', 'Delete', 'Delete listing'] },
      result: { result: 'unknown_dialog', seen: 'Promote it instead?Delete', pressed: ['Edit'] },
      change: (on: boolean) => {
        live.site.changesEdit = (html) => (on ? html.replace('</h1>', `</h1>${dialog}`) : html)
      },
    }
  },
  depop: async () => {
    const live = onDepop(await startDepop({ listings: few }))
    return {
      ...{ live, words: ['Manage listing', 'Delete listing', 'Delete'] },
      result: { result: 'no_button', pressed: ['Manage listing', 'Manage listings'] },
      change: (on: boolean) => {
        live.site.changesEdit = (html) => (on ? html.replace('>Delete listing<', '>Remove from shop<') : html)
      },
    }
  },
} satisfies Record<ExtensionSlug, () => Promise<Case>>

interface Case {
  live: SiteWithListings
  words: string[]
  result: Partial<TakeDownEntry>
  change: (on: boolean) => void
}

function challengeOn(site: { fault: 'challenge' | 'slow_down' | 'down' | null }): Pick<Case, 'result' | 'change'> {
  return {
    result: { result: 'challenge', pressed: [] },
    change: (on) => {
      site.fault = on ? 'challenge' : null
    },
  }
}

const soldElsewhere = { sold_elsewhere: true, attempt: null }

/** Opens a site whose first listings have tasks, with nothing switched on. */
async function open(platform: ExtensionSlug) {
  const given: Case = await cases[platform]()
  const fixture = await fixtures.start(given.live.site)
  if (platform === 'mercari') {
    // Its own pages say who is signed in.
    await (await openPage(fixture, 'https://www.mercari.com/mypage/listings/active/')).close()
  }
  const tasks: ExtensionTask[] = []
  for (const listing of given.live.listings.slice(0, 2)) {
    tasks.push(await addDelistTask(fixture, platform, { ...listing, ...soldElsewhere }))
  }
  return { fixture, ...given, tasks }
}

const turn = ({ popup }: SiteFixture<AnySite>, platform: ExtensionSlug, on: boolean) =>
  popup.evaluate(
    (request) => Reflect.get(globalThis, 'chrome').runtime.sendMessage({ name: 'takeDowns.switch', request }),
    { platform, on },
  )

const readLog = async ({ popup }: SiteFixture<AnySite>): Promise<TakeDownEntry[]> =>
  popup.evaluate(
    async () =>
      (await Reflect.get(globalThis, 'chrome').runtime.sendMessage({ name: 'takeDowns.log', request: {} })).value,
  )

/** Lets the pause after an attempt pass, and the minute come. */
async function nextMinute(fixture: SiteFixture<AnySite>): Promise<void> {
  await fixture.popup.evaluate(async () => {
    const { storage } = Reflect.get(globalThis, 'chrome')
    const { take_downs } = await storage.local.get('take_downs')
    const hour = 3_600_000
    const log = take_downs.log.map((entry: TakeDownEntry) => ({
      ...{ ...entry, begun_at: entry.begun_at - hour, ended_at: entry.ended_at - hour },
    }))
    await storage.local.set({ take_downs: { ...take_downs, log } })
  })
  await inWorker(fixture, "chrome.alarms.onAlarm.dispatch({ name: 'watch' })")
}

/** The addresses of the site's open tabs. */
const tabs = ({ chrome }: SiteFixture<AnySite>) =>
  chrome.context
    .targets()
    .map((target) => target.url())
    .filter((url) => /poshmark|mercari|depop/.test(url))

const ended = ({ hapax }: SiteFixture<AnySite>) => hapax.server.selling.reported

describe.each(Object.keys(cases) as ExtensionSlug[])('a sold listing on %s', (platform) => {
  it('stays if its page is not as expected, and ends in a background tab if it is', async () => {
    const { fixture, live, words, tasks, result, change } = await open(platform)
    change(true)
    await turn(fixture, platform, true)
    const stopped = { task: tasks[0]!.uid, closed: false, ...result }
    await expect.poll(() => readLog(fixture)).toMatchObject([stopped])
    // The listing stays open for the seller, with the next step.
    await expect.poll(() => tabs(fixture)).toHaveLength(1)
    expect(live.listings.slice(0, 2).map(live.isUp)).toEqual([true, true])
    expect([tasks.map(({ status }) => status), ended(fixture)]).toEqual([['open', 'open'], []])

    change(false)
    await nextMinute(fixture)
    await expect.poll(() => ended(fixture)).toEqual([{ task: tasks[1]!.uid, seen_down: true }])
    await expect.poll(() => tasks[1]!.attempt).toMatchObject({ result: 'ended', pressed: words })
    await expect.poll(() => tabs(fixture)).toHaveLength(1)
    expect(live.listings.slice(0, 2).map(live.isUp)).toEqual([true, false])
    // Nothing came to the front.
    expect(await fixture.popup.evaluate(() => document.visibilityState)).toBe('visible')

    await nextMinute(fixture)
    await expect.poll(() => tabs(fixture)).toHaveLength(1)
    expect(await readLog(fixture)).toHaveLength(2)
    await expectNothingSecretLeft(fixture)
    expect(fixture.chrome.errors).toEqual([])
  })
})

describe('in the middle of ending a listing', () => {
  /** Begins, and holds the server's answer to the question before the second press. Returns how to release it. */
  async function holdBeforeDelete(fixture: SiteFixture<AnySite>): Promise<() => void> {
    const { server } = fixture.hapax
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    server.released = async (path) => {
      if (path.endsWith('/attempt/') && ++asked === 3) await promise
    }
    await turn(fixture, 'poshmark', true)
    await expect.poll(() => asked).toBe(3)
    return resolve
  }

  it('one press in the popup stops it at once, and leaves the listing up', async () => {
    const { fixture, live, tasks } = await open('poshmark')
    const release = await holdBeforeDelete(fixture)
    await fixture.popup.waitForSelector(`::-p-text(Ending “${tasks[0]!.title}” on Poshmark…)`)
    await checkState(fixture.popup, 'take-down-running')
    await fixture.popup.locator(named('button', 'Stop')).click()
    await expect.poll(() => tabs(fixture)).toEqual([])
    release()
    await expect.poll(() => readLog(fixture)).toMatchObject([{ task: tasks[0]!.uid, result: 'stopped' }])
    expect([live.isUp(), tasks[0]!.status, ended(fixture)]).toEqual([true, 'open', []])

    for (const [place, words] of [
      ['#takedowns/poshmark', 'What it never does'],
      ['#takedowns', 'Stopped by you'],
      ['#shops', 'Settings and log'],
    ] as const) {
      const page = await openInventory(fixture, place)
      await page.waitForSelector(`::-p-text(${words})`)
      for (const width of pictures ? [1_280, 390] : [390]) {
        await page.setViewport({ width, height: 900 })
        await checkState(page, `take-downs-${place.replace(/\W/g, '')}-${width}`)
      }
      await page.close()
    }
  })

  it('a killed worker goes on without pressing twice', async () => {
    const { fixture, live, tasks, words } = await open('poshmark')
    const release = await holdBeforeDelete(fixture)
    await fixture.chrome.killWorker()
    release()
    await expect.poll(() => ended(fixture)).toEqual([{ task: tasks[0]!.uid, seen_down: true }])
    await expect.poll(() => tasks[0]!.attempt).toMatchObject({ result: 'ended', pressed: words })
    expect(live.isUp()).toBe(false)
    await expect.poll(() => tabs(fixture)).toEqual([])
  })
})
