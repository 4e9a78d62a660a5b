import type { Page } from 'puppeteer'
import type { TestBrowser } from '#e2e/browser.ts'
import { connectInApp, password, registerInApp } from '#e2e/web-seller.ts'
import { createHapax } from '#shared/client/client.ts'

export const seller = { email: 'vera@example.com', password, closet: 'vintage_vera' }

/** Ids of what a picture shows. */
export interface World {
  /** An item that is live on eBay and Etsy. */
  item: string
  /** An item that was sold on eBay. */
  sold: string
  /** An item that is live on Poshmark alone. */
  closetItem: string
  job: string
  /** Import and entry of a listing that needs a decision. */
  conflict: string
}

interface Tools {
  url: string
  browser: TestBrowser
  page: Page
  photograph(page: Page, name: string, sizes?: object): Promise<void>
}

/** Waits until `read` returns something. */
async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 240; tries++) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`never came: ${read}`)
}

/**
 * Lets a new seller work through a day: an account, two shops and a closet, look-alikes linked, two sales, and one item that only
 * the seller can take down. Takes pictures of the steps that are no screen of their own.
 */
export async function furnish({ url, browser, page, photograph }: Tools): Promise<World> {
  await registerInApp(page, url, seller.email)
  await photograph(page, 'home-empty')
  let hapax = createHapax({ baseUrl: url })
  const { token } = await hapax.call('logInByPassword', { body: { email: seller.email, password } })
  hapax = createHapax({ baseUrl: url, token })
  const mailed = await eventually(async () => {
    const messages: { to: string; text: string }[] = await (await fetch(`${url}/sandbox/outbox`)).json()
    return messages.flatMap(({ text }) => /verify-email\S*?token=([^\s&]+)/.exec(text)?.[1] ?? [])[0]
  })
  await hapax.call('confirmEmailVerification', { body: { token: decodeURIComponent(mailed), password } })
  const address = { full_name: 'Vera Vance', line1: '14 Mill Street', city: 'Portland', region: 'ME' }
  await hapax.call('putAddress', { body: { ...address, postal_code: '04101', country: 'US' } })

  for (const platform of ['eBay', 'Etsy'] as const) {
    await connectInApp(page, url, platform)
    await photograph(page, `connected-${platform.toLowerCase()}`)
    const { id } = await hapax.call('importPlatform', {
      params: { platform: platform.toLowerCase() as 'ebay' | 'etsy' },
    })
    await finished(id)
  }
  await eventually(async () => (await hapax.call('listConflicts', { query: {} })).comparing === 0 || undefined)
  for (const certainty of ['certain', 'likely'] as const) {
    await hapax.call('resolveConflicts', { body: { resolution: 'link_existing', certainty } })
  }

  const popup = await browser.openPopup()
  await popup.evaluate(
    async (request) => {
      const { runtime, storage } = Reflect.get(globalThis, 'chrome')
      await runtime.sendMessage({ name: 'popup.signIn', request })
      await storage.local.set({ settings: { pace_ms: 0 } })
    },
    { server: url, email: seller.email, password },
  )
  await popup.close()
  const closet = await browser.newPage()
  await closet.goto(`https://poshmark.com/closet/${seller.closet}`)
  await closet.locator('::-p-aria(Import 24 listings)').wait()
  await photograph(closet, 'closet')
  await closet.locator('::-p-aria(Import 24 listings)').click()
  const jobs = () => hapax.call('listImportJobs', { query: { marketplace: 'poshmark' } })
  const job = await eventually(async () => {
    const [first] = await jobs()
    return first?.status === 'completed' ? first.id : undefined
  })
  await closet.close()

  const items: Awaited<ReturnType<typeof hapax.call<'listInventory'>>>['results'] = []
  for await (const item of hapax.pages('listInventory', { query: { page_size: '100' } })) items.push(item as never)
  const liveOn = (...platforms: string[]) =>
    items.filter(({ listings = [] }) => {
      const live = listings.filter(({ state }) => state === 'available').map(({ platform }) => platform)
      return live.length === platforms.length && platforms.every((one) => live.includes(one as never))
    })
  const [sold, soldToo, item] = liveOn('ebay', 'etsy')
  const closetItems = liveOn('poshmark')
  const closetItem = closetItems[0]
  const shownItem = closetItems.find(({ record }) => record.title.startsWith('Green wool coat'))
  if (!sold || !soldToo || !item || !closetItem || !shownItem) throw new Error('The shops have too few listings.')

  for (const each of [sold, soldToo]) {
    const on = each.listings!.find(({ platform }) => platform === 'ebay')!
    const bought = await fetch(`${new URL(on.url!).origin}/itm/${on.listing_id}/buy`, {
      method: 'POST',
      body: new URLSearchParams(),
    })
    if (!bought.ok) throw new Error(`The sandbox eBay did not sell ${on.listing_id}: ${bought.status}`)
  }
  await hapax.call('markItemSold', { params: { uid: closetItem.uid }, body: { note: 'Sold at the flea market' } })
  await eventually(async () => {
    const { listings = [] } = await hapax.call('getInventoryItem', { params: { uid: soldToo.uid } })
    return listings.every(({ state }) => state !== 'available') || undefined
  })
  const { results } = await hapax.call('listConflicts', { query: {} })
  const first = results[0]!
  return {
    ...{ item: item.uid, sold: sold.uid, closetItem: shownItem.uid, job },
    conflict: `${first.job_uid}/${first.item.id}`,
  }

  async function finished(uid: string): Promise<void> {
    await eventually(async () => {
      const { status } = await hapax.call('getImportJob', { params: { uid } })
      return status === 'completed' || undefined
    })
  }
}
