import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import type { FetchPicture } from '#server/integrations/fetch-picture.ts'
import type { BeforeSend, PublishRequest, ShopAccess, Verified } from '#server/integrations/port.ts'
import { minorFromDecimal } from '#shared/money.ts'
import type { Trading } from '../client.ts'
import { tradingSiteOf } from '../marketplaces.ts'
import type { Rest } from '../rest.ts'
import type { XmlElement } from '../xml.ts'
import { AddAnswer } from './add-wire.ts'
import { conditionDescriptorsOf } from './condition-policy.ts'
import { ebayFees } from './fees.ts'
import { itemFields, pictureUrls, requireOptions } from './listing-body.ts'
import { fieldsNamed, type ProductField } from './local-terms.ts'
import { refuseSmallPictures } from './picture-sizes.ts'
import { policiesFor } from './policies.ts'

/** "Duplicate UUID used": an earlier request with it has listed the item. */
const duplicateUuid = '488'

/** Errors that ask for a missing field: information, and item specifics that the category requires. */
const missingField = ['37', '21919301', '21919302', '21919303']

interface PublishTools {
  rest: Rest
  trading: Trading
  cache: AnswerCache
  /** Fetches pictures to measure them; absent: they are not measured. */
  fetchPicture: FetchPicture | undefined
}

type Add = (name: 'AddFixedPriceItem' | 'VerifyAddFixedPriceItem') => Promise<XmlElement>

/**
 * Publishes an item and returns the listing's id. The request's idempotency key is the listing's UUID, so a repeated
 * request is answered with the listing that the first one made, even if that has ended meanwhile.
 */
export async function publishItem(
  tools: PublishTools,
  access: ShopAccess,
  request: PublishRequest,
  beforeSend: BeforeSend,
): Promise<string> {
  const add = await prepare(tools, access, request)
  if (tools.fetchPicture && !request.repeated) {
    await refuseSmallPictures(tools.fetchPicture, pictureUrls(request.images), access.signal)
  }
  await beforeSend('publish')
  try {
    const { ItemID } = AddAnswer.parse(await add('AddFixedPriceItem'))
    if (ItemID) return ItemID
  } catch (error) {
    const first = listedBefore(error)
    if (first) return first
    throw error
  }
  throw new PlatformError('ebay', 'malformed', "eBay's answer to the new listing is not understood: it has no ItemID.")
}

/** Asks eBay what it would refuse of a listing, and what it would charge for it. Nothing is published. */
export async function verifyItem(tools: PublishTools, access: ShopAccess, request: PublishRequest): Promise<Verified> {
  const estimated = ebayFees(request)
  const add = await prepare(tools, access, request)
  try {
    const { Fees } = AddAnswer.parse(await add('VerifyAddFixedPriceItem'))
    const fee = Fees?.Fee.find(({ Name }) => Name === 'ListingFee')?.Fee
    const currency = fee?.['@currencyID'] ?? request.currency
    const amount_minor = minorFromDecimal(Number(fee?.['#text'] || Number.NaN).toFixed(2), currency)
    if (amount_minor === null) return { findings: [], fees: estimated }
    const message = amount_minor === 0 ? 'eBay charges nothing for listing it.' : 'eBay charges this for listing it.'
    const known = {
      code: 'listing_fee',
      charged: 'on_listing',
      certain: true,
      amount_minor,
      currency,
      message,
    } as const
    return { findings: [], fees: estimated.map((one) => (one.code === 'listing_fee' ? known : one)) }
  } catch (error) {
    // A check that eBay cannot answer now keeps nobody from listing.
    if (isFailure(error, 'rate_limited') || isFailure(error, 'unavailable')) return { findings: [], fees: estimated }
    if (!isFailure(error, 'refused') && !isFailure(error, 'not_yet')) throw error
    return {
      findings: [{ field: 'platform', code: 'not_allowed', message: error.message, blocking: true }],
      fees: estimated,
    }
  }
}

/** Reads what a listing needs, and returns the call that sends it. */
async function prepare(
  { rest, trading, cache }: PublishTools,
  access: ShopAccess,
  request: PublishRequest,
): Promise<Add> {
  const site = String(request.options.marketplace_id ?? '')
  const { language, hasPolicies } = await policiesFor(rest, access, site, cache)
  const options = requireOptions(request, hasPolicies)
  const conditionDescriptors = await conditionDescriptorsOf(
    rest,
    access,
    { site, language, category: options.category_id },
    { condition: options.condition, descriptors: options.condition_descriptors },
    cache,
  )

  const send = (name: string, identifiers?: ReadonlySet<ProductField>) => {
    const uuid = name === 'AddFixedPriceItem' ? request.idempotencyKey?.replaceAll('-', '') : undefined
    const details = { conditionDescriptors, language, hasPolicies, uuid, identifiers }
    return trading({
      name,
      ...access,
      site: tradingSiteOf(site, language),
      fields: { Item: itemFields(request, options, details) },
    })
  }

  /** Sends again with the identifiers that eBay asks for, because some categories do not list them among their aspects. */
  return async (name) => {
    try {
      return await send(name)
    } catch (error) {
      const missing = missingFields(error)
      if (missing.size === 0) throw error
      return send(name, missing)
    }
  }
}

/** Returns the listing that an earlier request with the same UUID made; null for another error. */
function listedBefore(error: unknown): string | null {
  const faults = error instanceof PlatformError ? error.faults : []
  const duplicate = faults.find(({ code }) => code === duplicateUuid)
  if (!duplicate) return null
  const values = duplicate.parameters.map(({ value }) => value.trim())
  return (
    values.find((value) => /^\d{9,19}$/.test(value)) ?? /item ID\s*=\s*(\d{9,19})/i.exec(duplicate.words)?.[1] ?? null
  )
}

/** Returns the product fields that a refusal names; none for another error. */
function missingFields(error: unknown): Set<ProductField> {
  const faults = error instanceof PlatformError ? error.faults : []
  return fieldsNamed(
    faults
      .filter(({ code }) => missingField.includes(code ?? ''))
      .flatMap(({ words, parameters }) => [words, ...parameters.map(({ value }) => value)]),
  )
}
