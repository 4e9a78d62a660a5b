import { afterEach, expect, it } from 'vitest'
import { checkState, named, openInventory, prepareFixtures, signIn } from './fixture.ts'
import { buildPost } from './sites/poshmark-data.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.closeAll)

const sentence = "48 of 60 listings could be read; Poshmark's page changed."
const leftOut = '1 listing of another seller was left out.'

it('never reports an import with missing listings as finished', async () => {
  const fixture = await fixtures.start({ listings: 60 })
  const { site, chrome, hapax } = fixture
  site.renamesPaging = true
  site.strangers = [buildPost({ username: 'somebody_else', uid: 'a'.repeat(24) }, 9, 1)]
  const popup = await signIn(fixture)
  const closet = await chrome.newPage()
  await closet.goto('https://poshmark.com/closet/samplecloset')
  await (await closet.waitForSelector(named('button', 'Import 60 listings')))!.click()
  await closet.waitForSelector(named('button', 'Import again'))

  await popup.bringToFront()
  await popup.waitForSelector('::-p-text(Incomplete)')
  const shown = await popup.$eval('.import', (row) => row.textContent)
  expect(shown).toContain(sentence)
  expect(shown).toContain(leftOut)
  expect(shown).toContain('48 imported')
  expect(await popup.$eval('body', (body) => body.textContent)).not.toContain('Finished')
  expect(await popup.$eval(named('link', 'Try again, Poshmark'), (link) => (link as HTMLAnchorElement).href)).toBe(
    'https://poshmark.com/closet/samplecloset',
  )
  await checkState(popup, 'import-incomplete')
  await popup.locator(named('button', 'Review, Poshmark')).click()
  await popup.waitForSelector('::-p-text(The whole import)')
  await checkState(popup, 'issues-incomplete')

  const page = await openInventory(fixture, '#imports')
  await page.waitForSelector(`::-p-text(Incomplete: ${sentence} ${leftOut})`)
  await page.waitForSelector(named('link', 'Try again'))
  await checkState(page, 'page-import-incomplete')

  // With a readable page again, the rest arrives and the warning disappears.
  site.renamesPaging = false
  site.strangers = []
  await closet.bringToFront()
  await (await closet.waitForSelector(named('button', 'Import again')))!.click()
  await expect
    .poll(() => hapax.server.jobs.map((job) => [job.status, job.items.length]))
    .toEqual([
      ['completed', 50],
      ['completed', 12],
    ])
  await popup.bringToFront()
  await popup.locator(named('button', 'Back')).click()
  await popup.waitForSelector('::-p-text(Finished)')
  expect(await popup.$eval('body', (body) => body.textContent)).not.toContain('Incomplete')
  expect(chrome.errors).toEqual([])
})
