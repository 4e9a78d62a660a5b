import type { Page } from 'puppeteer'
import { afterEach, describe, expect, it } from 'vitest'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { sampleListing } from '#extension/testing/sample-listing.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import {
  checkState,
  type Fixture,
  named,
  openInventory,
  prepareFixtures,
  signIn,
  signInWithoutPopup,
} from './fixture.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.signOutAll)

const markup = '"><img src=x onerror="document.title=1"><script>document.title=2</script>{{7*7}}'
const hostile: Record<string, string> = {
  markup,
  'right to left': '\u202e\u2067evil gnirts \u05d0\u05d1\u05d2 \u0627\u0644',
  'ten thousand letters': `W${'i'.repeat(9_998)}!`,
  'nothing to see': '\u200b\u200d\ufeff\u2060\u0000\u0007',
  'many marks': `Z${'\u0301\u0489'.repeat(400)} 🧥`,
}

/** Expects that no text became markup and nothing overflows the page. */
async function expectText(page: Page, width: number, where: string): Promise<void> {
  const seen = await page.evaluate(() => ({
    title: document.title,
    made: document.querySelectorAll('img[src="x"], body script:not([src])').length,
    wide: document.documentElement.scrollWidth,
    scrolled: [...document.querySelectorAll('.body, .page, .grid, .results')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'hidden')
      .map((one) => one.className),
    hidden: [...document.querySelectorAll('.body button, .body a.button')].filter((one) => {
      const { left, right } = one.getBoundingClientRect()
      return right > innerWidth || left < 0
    }).length,
  }))
  expect(seen, where).toEqual({ title: 'Hapax', made: 0, wide: width, scrolled: [], hidden: 0 })
}

/** Other tests look at the same screens in the dark, whose colors depend on no text. */
const checkInLight = (page: Page, name: string) => checkState(page, name, ['light'])

/** Puts hostile text wherever strangers can. */
function fill({ hapax: { server } }: Fixture, words: string): void {
  const listing = (n: number) =>
    sampleListing(n, {
      title: words,
      description: words,
      sku: `S-${n}${words}`.slice(0, 500),
      brand: words.slice(0, 400),
      size: words.slice(0, 400),
      condition: words.slice(0, 400),
      category: words.slice(0, 400),
      colors: [words.slice(0, 100)],
    })
  server.inventory.push(sampleItem(0), inventoryItem('ebay', listing(0)))
  const item = server.inventory[1]!
  item.listings![0]!.price_minor += 1
  server.history.set(item.uid, [
    {
      version: 2,
      at: new Date().toISOString(),
      actor: 'user',
      from_state: 'available',
      to_state: 'reserved',
      reason: words,
      reference: words,
    },
  ])
  server.tasks.push(sampleTask({ title: words, reason: words, image: words }))
  server.shopName = words
  server.ebay = 'connected'
  const job = server.imports.openJob('poshmark', 'samplecloset')
  server.imports.fill(
    job,
    [listing(0), listing(1)],
    [{ listing_id: 'p-x', title: words, error_code: 'internal', error_message: words }],
  )
  for (const one of job.items) if (one.status === 'failed') one.error_code = null
  job.status = 'completed'
  job.problem = words
}

describe('hostile text', () => {
  it.each(Object.entries(hostile))('stays text in the popup: %s', async (name, words) => {
    const fixture = await fixtures.start()
    fill(fixture, words)
    const popup = await signIn(fixture)
    await popup.waitForSelector('.task')
    await popup.waitForSelector('input[placeholder="Search 3 items"]')
    await checkInLight(popup, `hostile-home-${name.replaceAll(' ', '-')}`)
    await expectText(popup, 380, 'home')
    await popup.keyboard.press('/')
    await popup.waitForSelector('[role=option]')
    await checkInLight(popup, `hostile-search-${name.replaceAll(' ', '-')}`)
    await expectText(popup, 380, 'search')
    await popup.keyboard.press('Escape')
    await popup.locator(named('button', 'Review')).click()
    await popup.waitForSelector('::-p-text(Could not be read)')
    await checkInLight(popup, `hostile-issues-${name.replaceAll(' ', '-')}`)
    await expectText(popup, 380, 'issues')
    await popup.locator('.rows button').click()
    await popup.waitForSelector('.compare')
    await checkInLight(popup, `hostile-conflict-${name.replaceAll(' ', '-')}`)
    await expectText(popup, 380, 'conflict')
    expect(fixture.chrome.errors).toEqual([])
  })

  it.each(Object.entries(hostile))('stays text in the full page, wide and narrow: %s', async (name, words) => {
    const fixture = await fixtures.start()
    fill(fixture, words)
    await signInWithoutPopup(fixture)
    const uid = fixture.hapax.server.inventory[1]!.uid
    for (const [place, ready] of [
      ['', '.lines .title'],
      [`#item/${uid}`, '.facts'],
      ['#imports', '.grid.review .lines .title'],
    ] as const) {
      const page = await openInventory(fixture, place)
      await page.waitForSelector(ready)
      for (const width of [1280, 380]) {
        await page.setViewport({ width, height: 800 })
        await checkInLight(page, `hostile-page${place.split('/')[0]}-${width}-${name.replaceAll(' ', '-')}`)
        await expectText(page, width, `${place} ${width}`)
      }
      await page.close()
    }
    expect(fixture.chrome.errors).toEqual([])
  })
})
