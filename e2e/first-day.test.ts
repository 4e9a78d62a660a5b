import { afterEach, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { checkState, named, openInventory, prepareFixtures, signIn } from './fixture.ts'

const fixtures = prepareFixtures()
afterEach(fixtures.closeAll)

it('marks connected platforms without colors', async () => {
  const fixture = await fixtures.start()
  fixture.hapax.server.ebay = 'connected'
  const popup = await signIn(fixture)
  const session = await popup.createCDPSession()
  await session.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] })
  const fill = (dot: string) => popup.$eval(dot, (one) => getComputedStyle(one).backgroundColor)
  await popup.waitForSelector('.dot.ok')
  expect(await fill('.dot.ok')).not.toBe(await fill('body'))
  expect(await fill('.dot.ok')).not.toBe(await fill('.dot.none'))
  expect(await fill('.dot.ok')).toBe(await popup.$eval('body', (one) => getComputedStyle(one).color))
})

it('links to the ship-from address and subscription', async () => {
  const fixture = await fixtures.start()
  const { server } = fixture.hapax
  server.ebay = 'connected'
  const title = `Écharpe 🧣 معطف صوف ${'Wool coat with a very long name '.repeat(6)}end`
  const item = sampleItem(0)
  item.record.title = title
  item.listings = []
  item.record.channel_listings = []
  server.inventory.push(item)
  await signIn(fixture)
  const page = await openInventory(fixture, `#item/${item.uid}`)
  const heading = await page.waitForSelector('::-p-text(end)')
  expect(await heading?.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
  await checkState(page, 'item-long-title')
  server.faults.push({ operation: 'bulkList', code: 'address_required', times: 1 })
  const lead = async (path: string) => {
    await page.locator('dialog button[type=submit]').click()
    const link = await page.waitForSelector(`dialog .notice a[href$="${path}"]`)
    expect(await link?.evaluate((one) => [one.href, one.target])).toEqual([`${fixture.hapax.url}${path}`, '_blank'])
  }
  await page.locator(named('button', 'List on…')).click()
  await (await page.waitForSelector('dialog input[type=checkbox]'))?.click()
  await page.waitForSelector('dialog button[type=submit][aria-disabled="false"]')
  await lead('/app/#account/address')
  await checkState(page, 'list-needs-address')
  server.faults.push({ operation: 'bulkList', code: 'subscription_required', times: 1 })
  await lead('/app/#account/subscription')
  await checkState(page, 'list-needs-subscription')
  // With address and subscription, the same click succeeds.
  await page.locator('dialog button[type=submit]').click()
  await page.waitForSelector('.toast ::-p-text(Listed on eBay.)')
  expect(await page.$('dialog')).toBeNull()
  await checkState(page, 'list-done')
  expect(fixture.chrome.errors).toEqual([])
})
