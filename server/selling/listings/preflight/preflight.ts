import type { z } from 'zod'
import { HttpProblem, invalidField, problem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { pictureFindings } from '#server/integrations/pictures.ts'
import type { Services } from '#server/services.ts'
import type { BulkListItem, ListingOptions } from '#shared/contract/selling/listings.ts'
import { type Finding, type FindingCode, findingCodes, type Preflight } from '#shared/contract/selling/preflight.ts'
import { formPhotos } from '#shared/listing-limits.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { type ExtensionSlug, findPlatform, type OAuthSlug, type PlatformEntry } from '#shared/platforms.ts'
import type { PriceRules } from '#shared/price-schemas.ts'
import * as listingsSql from '../queries.ts'
import { callShop } from './call-shop.ts'
import { type Examined, examineListing } from './examine-listing.ts'
import {
  findItem,
  findTarget,
  type ListedItem,
  requirePrice,
  requireSeller,
  requireShop,
  shopNamedFor,
} from './prerequisites.ts'
import { pricesByRule, readPriceRules } from './price-rules.ts'
import { externalKeyOf, findPublishable, publishRequest } from './publish-request.ts'

/** Codes for "nobody knows whether the listing would be refused". */
const unknown: ReadonlySet<FindingCode> = new Set(['platform_failed', 'unavailable', 'not_checked'])

interface PreflightRequest {
  user_id: number
  price?: string
  options?: ListingOptions
  seller_account_uid?: string
}

/** Settings shared by all items of a request. */
interface Asking {
  /** A finding about the seller: no subscription, or no address. */
  seller: Finding | null
  rules: PriceRules
  /** Accepted age of the shop's policies and profiles. 0 for a single item, so that the seller sees changes. */
  maxAgeMs: number
  mayLookUp?: () => boolean
  verifies?: boolean
}

/**
 * Examines a listing before anything is sent (`GET` and `POST …/preflight/`). Returns as a finding
 * whatever listing would refuse. Throws 404 for an unknown item or platform, and 400 for an invalid price.
 */
export async function preflightItem(
  services: Services,
  params: { uid: string; slug: string },
  request: PreflightRequest,
): Promise<Preflight> {
  const { item, platform } = await findTarget(services.db, request.user_id, params)
  if (request.price !== undefined) requirePrice(request.price, item.currency)
  const seller = await faultOf(() => requireSeller(services, request.user_id))
  const rules = await readPriceRules(services.db, request.user_id)
  return examine(services, { item, platform, request }, { seller, rules, maxAgeMs: 0, verifies: true })
}

/** Items examined at once. Each may ask the platform for its category. */
const atOnce = 4
/** The shop's policies and profiles are read once for the whole selection. */
const bulkMaxAgeMs = 60_000
/** Calls about single items (eBay's category suggestions) that one selection may cost. eBay limits them per day. */
const maxLookUps = 20

/** Most items of a request, in `uids` and `items` together. */
const maxItems = 100

type BulkItem = z.infer<typeof BulkListItem>

/** Examines many items on several platforms, in the requested order, each pair once. Unknown ids have no result. */
export async function preflightMany(
  services: Services,
  request: Omit<PreflightRequest, 'options'> & { uids?: string[]; items?: BulkItem[]; platforms: string[] },
): Promise<{ results: Preflight[]; ready: number; not_ready: number; not_checked: number }> {
  const platforms = [...new Set(request.platforms)].map((slug) => {
    const platform = findPlatform(slug)
    if (!platform) throw invalidField('platforms', 'unknown', `"${slug}" is not a platform`)
    return platform
  })
  if (request.price !== undefined && !/[1-9]/.test(request.price))
    throw invalidField('price', 'invalid_price', 'must be more than zero')
  const asked = new Map<string, BulkItem['options']>([
    ...(request.uids ?? []).map((uid) => [uid, undefined] as const),
    ...(request.items ?? []).map(({ uid, options }) => [uid, options] as const),
  ])
  if (asked.size === 0) throw invalidField('uids', 'required', 'is required, or items')
  if (asked.size > maxItems) throw invalidField('items', 'too_big', `must have at most ${maxItems} entries`)
  const pairs: Target[] = []
  for (const [uid, options] of asked) {
    const item = await findItem(services.db, request.user_id, uid)
    if (!item) continue
    for (const platform of platforms)
      pairs.push({ item, platform, request: { ...request, options: options?.[platform.slug as OAuthSlug] ?? {} } })
  }
  let lookUps = 0
  const seller = await faultOf(() => requireSeller(services, request.user_id))
  const rules = await readPriceRules(services.db, request.user_id)
  const asking = { seller, rules, maxAgeMs: bulkMaxAgeMs, mayLookUp: () => ++lookUps <= maxLookUps }
  const results: Preflight[] = []
  for (let from = 0; from < pairs.length; from += atOnce) {
    const some = pairs.slice(from, from + atOnce)
    const examined = some.map((pair) => examine(services, pair, asking))
    results.push(...(await Promise.all(examined)))
  }
  const ready = results.filter((result) => result.ready).length
  const not_ready = results.filter(({ findings }) => findings.some(({ blocking }) => blocking)).length
  return { results: results.map(withoutAllowed), ready, not_ready, not_checked: results.length - ready - not_ready }
}

function withoutAllowed(result: Preflight): Preflight {
  return { ...result, findings: result.findings.map(({ allowed: _allowed, ...finding }) => finding) }
}

interface Target {
  item: ListedItem
  platform: PlatformEntry
  request: PreflightRequest
}

async function examine(services: Services, target: Target, { seller, rules, ...asking }: Asking): Promise<Preflight> {
  const { item, platform, request } = target
  const price_minor =
    request.price === undefined
      ? (pricesByRule(rules, item)[platform.slug] ?? item.price_minor)
      : minorFromDecimal(request.price, item.currency)
  const findings: Finding[] = [
    ...stateFindings(item),
    ...priceFindings(price_minor, item.currency),
    ...(await liveFindings(services, target)),
    ...(seller ? [seller] : []),
  ]
  const asked =
    platform.capabilities.list === 'api'
      ? await checkOnPlatform(services, target, { price_minor: Math.max(price_minor ?? 1, 1), ...asking })
      : ofForm(target)
  findings.push(
    ...asked.findings.filter(({ field, code }) => !findings.some((one) => one.field === field && one.code === code)),
  )
  return {
    inventory_item_uid: item.uid,
    platform: platform.slug,
    ready: !findings.some(({ blocking, code }) => blocking || unknown.has(code)),
    findings,
    fees: asked.fees,
    options: asked.options,
    price_minor,
    currency: item.currency,
    category: asked.category,
    proposed: asked.proposed,
    marketplace: asked.marketplace,
    shipping: asked.shipping,
  }
}

function stateFindings({ state }: ListedItem): Finding[] {
  if (state === 'available') return []
  return [{ field: 'state', code: 'not_available', message: `The item is ${state}.`, blocking: true }]
}

function priceFindings(price_minor: number | null, currency: string): Finding[] {
  if (price_minor === null)
    return [{ field: 'price', code: 'invalid_price', message: `It is no price in ${currency}.`, blocking: true }]
  if (price_minor > 0) return []
  return [{ field: 'price', code: 'price_too_low', message: 'The item needs a price.', blocking: true }]
}

async function liveFindings({ db }: Services, { item, platform, request }: Target): Promise<Finding[]> {
  const key = { user_id: request.user_id, item_uid: item.uid, platform: platform.slug }
  if (!(await db.oneOrNone(listingsSql.findCurrentListing(key)))) return []
  const message = `It is live on ${platform.name} already; listing it again changes nothing.`
  return [{ field: 'listings', code: 'already_listed', message, blocking: false }]
}

/** Asks the platform for its choices, then the adapter for findings about the completed listing. */
async function checkOnPlatform(
  services: Services,
  { item, platform, request }: Target,
  { price_minor, ...asking }: Omit<Asking, 'seller' | 'rules'> & { price_minor: number },
): Promise<Examined> {
  const given = request.options ?? {}
  const nothing: Examined = {
    findings: [],
    fees: [],
    options: given,
    category: null,
    proposed: [],
    marketplace: null,
    shipping: null,
  }
  try {
    const shop = await requireShop(
      services,
      request.user_id,
      platform.slug,
      await shopNamedFor(services.db, request, platform.slug),
    )
    const owner = { user_id: request.user_id, seller_account_uid: shop.uid }
    const operation = {
      ...owner,
      item_uid: item.uid,
      platform: platform.slug as OAuthSlug,
      external_key: externalKeyOf(item.uid, item.sku),
      listing_id: null,
      sent_ms_ago: null,
      price_minor,
      currency: item.currency,
    }
    const publishable = await findPublishable({ services, operation })
    if (!publishable) throw problem('not_available', 'This item no longer exists.')
    if (!publishable.address) throw problem('address_required')
    const requestWith = (options: ListingOptions) => publishRequest(operation, publishable, options)
    const defaults = publishable.defaults ?? {}
    return await callShop(services, owner, (port, access) =>
      examineListing({ port, access, platformName: platform.name }, { given, defaults, requestWith, ...asking }),
    )
  } catch (error) {
    const finding = findingOf(error)
    if (!finding) throw error
    return { ...nothing, findings: [finding] }
  }
}

/** Returns the findings where only the seller can list: the platform's own form asks for the rest. */
function ofForm({ item, platform, request }: Target): Examined {
  const message = `You list it in ${platform.name}'s own form, which the extension fills in.`
  const byHand: Finding = { field: 'platform', code: 'by_hand', message, blocking: false }
  const pictures = pictureFindings(item.images, {
    name: platform.name,
    most: formPhotos[platform.slug as ExtensionSlug],
  })
  return {
    findings: [byHand, ...pictures],
    fees: [],
    options: request.options ?? {},
    category: null,
    proposed: [],
    marketplace: null,
    shipping: null,
  }
}

async function faultOf(check: () => Promise<unknown>): Promise<Finding | null> {
  try {
    await check()
    return null
  } catch (error) {
    const finding = findingOf(error)
    if (!finding) throw error
    return finding
  }
}

/** Converts a problem into a finding. Returns null for other errors. */
function findingOf(error: unknown): Finding | null {
  if (!(error instanceof HttpProblem)) return null
  const { cause, message } = error
  if (cause instanceof PlatformError && cause.platformCode === 'category') {
    return { field: 'options.category_id', code: 'not_allowed', message, blocking: true }
  }
  const code = findingCodes.find((one): one is FindingCode => one === error.code)
  return code ? { field: fieldOf[code] ?? 'platform', code, message, blocking: !unknown.has(code) } : null
}

const fieldOf: Partial<Record<FindingCode, string>> = {
  subscription_required: 'subscription',
  address_required: 'address',
  connection_required: 'connection',
  reconnect_required: 'connection',
  seller_account_required: 'seller_account_uid',
}
