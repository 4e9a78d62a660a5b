import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type {
  ListingPort,
  PlatformAdapter,
  PublishedListing,
  PublishRequest,
  ShopAccess,
} from '#server/integrations/port.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { platformOf } from '#shared/platforms.ts'
import type { Report } from './report.ts'
import type { TestItem } from './test-item.ts'

interface SellerCheck {
  adapter: PlatformAdapter
  /** An access token of the seller. */
  accessToken: string
  /** Null: read only. */
  item: TestItem | null
  report: Report
  /** Aborts the check early; a live test item is ended all the same. */
  signal: AbortSignal
  /** Pause between attempts to end the test item. */
  pauseMs: number
}

const tries = 4

/** Reads a seller's shop. With a test item, also lists, reprices and ends it. */
export async function checkSeller(check: SellerCheck): Promise<void> {
  const { adapter, accessToken, item, report } = check
  const { name } = platformOf(adapter.slug)
  const shop = await report.step(
    `${name}: seller`,
    () => adapter.oauth.identify(accessToken),
    ({ external_name }) => external_name,
  )
  if (!shop) return
  const access = { accessToken, shop }
  await report.step(
    `${name}: listings of the shop`,
    async () => adapter.imports.readPage(access, { states: ['active'], cursor: null }),
    ({ total, listings, failures }) =>
      `${total ?? listings.length} on sale, ${failures.length} of the first page not readable`,
  )
  if (adapter.orders) {
    const { orders } = adapter
    const modifiedSince = new Date(Date.now() - 86_400_000).toISOString()
    await report.step(
      `${name}: orders`,
      () => orders.readChanged(access, { modifiedSince, cursor: null }),
      (page) => `${page.orders.length} changed in a day`,
    )
  }
  if (!item) {
    report.skip(`${name}: test item`, 'nothing is listed without --publish and --item')
    return
  }
  if (adapter.listings) await checkListing(check, adapter.listings, access, item)
}

async function checkListing(check: SellerCheck, port: ListingPort, access: ShopAccess, item: TestItem): Promise<void> {
  const { adapter, report, signal, pauseMs } = check
  const { slug } = adapter
  const { name } = platformOf(slug)
  const externalKey = `hapax-check-${randomBytes(6).toString('hex')}`
  const asked = requestOf(item, externalKey, item.options[slug] ?? {})

  const request = await report.step(`${name}: choices of the test item`, async () => {
    const { options, missing } = completeOptions(asked.options, {}, await port.choices(access, asked))
    if (missing.length === 0) return { ...asked, options }
    const wanted = missing.map(({ option, values }) => {
      const some = values.slice(0, 5).map((value) => `${value.id} (${value.name})`)
      return `${option}: ${some.join(', ') || 'free text'}`
    })
    throw new Error(`Choose these under options.${slug} in the item's file. ${wanted.join('; ')}`)
  })
  if (!request || signal.aborted) return

  let made: string | null = null
  let listing: PublishedListing | null = null
  try {
    const keepId = async (_name: string, id?: string) => {
      if (id !== undefined) made = id
    }
    listing = await report.step(
      `${name}: publish the test item`,
      () => port.publish({ ...access, signal }, request, keepId),
      ({ url }) => url,
    )
    if (listing && !signal.aborted) await checkLive(listing)
  } finally {
    await end()
  }

  async function checkLive({ listing_id }: PublishedListing): Promise<void> {
    await report.step(`${name}: the test item is on sale`, async () => {
      const state = await port.readState(access, listing_id)
      if (state !== 'live') throw new Error(`${name} says that it is ${state}.`)
    })
    const price = { price_minor: item.new_price_minor, currency: item.currency }
    await report.step(`${name}: reprice the test item`, () =>
      port.changePrice(access, { listing_id, externalKey, ...price }),
    )
  }

  /** Ends the test item, even if the response to its publication was lost, and removes what was not published. */
  async function end(): Promise<void> {
    const byHand = `End the item with the SKU ${externalKey} by hand${listing ? `: ${listing.url}` : ''}.`
    const tryAgain = () => again(endOnce)
    await report.step(`${name}: end the test item`, tryAgain, (outcome) => outcome)

    async function endOnce(): Promise<string> {
      try {
        const listing_id = listing?.listing_id ?? (await findLive())
        if (listing_id !== null) {
          await port.withdraw(access, { listing_id, externalKey })
          const state = await port.readState(access, listing_id)
          if (state === 'live') throw new Error(`${name} still shows it.`)
        }
        await port.discard?.(access, { externalKey, made })
        return listing_id === null ? 'it was never on sale' : `${listing_id} is off sale`
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : String(error)} ${byHand}`, { cause: error })
      }
    }
  }

  /** Searches several times: a publication whose response was lost may take effect late. */
  async function findLive(): Promise<string | null> {
    for (let left = tries; left > 0; left--) {
      if (made !== null && (await port.readState(access, made)) === 'live') return made
      const found = await port.findPublished(access, externalKey)
      if (found) return found.listing_id
      await delay(pauseMs)
    }
    return null
  }

  async function again<Value>(run: () => Promise<Value>): Promise<Value> {
    for (let left = tries; ; left--) {
      try {
        return await run()
      } catch (error) {
        if (left <= 1) throw error
        await delay(pauseMs)
      }
    }
  }
}

function requestOf(item: TestItem, externalKey: string, options: PublishRequest['options']): PublishRequest {
  return {
    externalKey,
    sku: externalKey,
    title: `Test item, please do not buy: ${item.thing}`,
    description: 'This is a test of a listing tool. The item does not exist and will be taken down at once.',
    price_minor: item.price_minor,
    currency: item.currency,
    images: [item.picture],
    condition: { label: item.condition, notes: '' },
    attributes: item.attributes,
    address: item.address,
    options,
  }
}
