import { sellsWithoutNotes } from '../conditions.ts'
import type { SandboxItem } from '../item.ts'
import { siteNameOf } from '../sites.ts'
import type { Handler, TradingContext } from '../trading-call.ts'
import { childrenOf, element, elements, textOf, type XmlElement } from '../xml.ts'
import { aspectsOf, itemFault } from './item-fault.ts'
import { shippingServicesOf } from './shipping-services.ts'
import { categoryOf, siteOfTree } from './sites.ts'

const dayMs = 86_400_000

/** Lists an item. A UUID that has listed one before is refused with that one's id, whatever became of it. */
export const addFixedPriceItem: Handler = (context, seller, request) => {
  const item = childrenOf(request.Item) ?? {}
  const uuid = textOf(item.UUID).toLowerCase()
  const first = uuid === '' ? undefined : context.market.itemsOf(seller).find((one) => one.uuid === uuid)
  if (first) {
    // https://developer.ebay.com/support/kb-article?KBid=74
    return {
      code: '488',
      short: 'Duplicate UUID used.',
      long: `The specified UUID has already been used; ListedByRequestAppId=1, item ID=${first.itemId}.`,
      parameters: ['1', first.itemId],
    }
  }
  const fault = itemFault(context, seller, item)
  if (fault) return fault
  const { itemId, startTime } = context.market.add(seller, { ...listingOf(context, item), ...(uuid ? { uuid } : {}) })
  return { body: added(context, itemId, startTime, item) }
}

/** Checks an item as listing it does. Nothing is listed, and the answer has no item. */
export const verifyAddFixedPriceItem: Handler = (context, seller, request) => {
  const item = childrenOf(request.Item) ?? {}
  return itemFault(context, seller, item) ?? { body: added(context, '0', context.clock().toISOString(), item) }
}

function added(context: TradingContext, ItemID: string, StartTime: string, item: XmlElement): string {
  const EndTime = new Date(context.clock().getTime() + 30 * dayMs).toISOString()
  const currency = textOf(item.Currency)
  const fees = ['GalleryFee', 'InsertionFee', 'ListingFee', 'SubtitleFee'].map(
    (name) => `<Fee><Name>${name}</Name><Fee currencyID="${currency}">0.0</Fee></Fee>`,
  )
  return `${elements({ ItemID, StartTime, EndTime })}<Fees>${fees.join('')}</Fees>`
}

/** Returns the listing that a request makes. */
function listingOf(context: TradingContext, item: XmlElement): Partial<SandboxItem> {
  const site = siteOfTree(context.siteId || '0')!
  const category = categoryOf(site, textOf(childrenOf(item.PrimaryCategory)?.CategoryID))!
  const imageUrls = [childrenOf(item.PictureDetails)?.PictureURL ?? []].flat().map(textOf)
  const conditionId = Number(textOf(item.ConditionID))
  const product = childrenOf(item.ProductListingDetails) ?? {}
  const pair = childrenOf(product.BrandMPN) ?? {}
  return {
    title: textOf(item.Title),
    description: textOf(item.Description),
    sku: textOf(item.SKU) || null,
    price: textOf(item.StartPrice),
    currency: textOf(item.Currency),
    pictures: imageUrls.length,
    imageUrls,
    conditionId,
    conditionName: category.conditions.find(({ id }) => id === conditionId)?.name ?? null,
    // eBay drops the notes about a new item.
    conditionNotes: sellsWithoutNotes(conditionId) ? null : textOf(item.ConditionDescription) || null,
    category: { id: Number(category.id), name: category.path.join(':') },
    specifics: [...aspectsOf(item)].map(([name, values]) => ({ name, values })),
    product: {
      ...{ isbn: textOf(product.ISBN), ean: textOf(product.EAN), upc: textOf(product.UPC) },
      ...{ brand: textOf(pair.Brand), mpn: textOf(pair.MPN) },
    },
    site: siteNameOf(context.siteId || '0'),
  }
}

/** Names a site's shipping services. The other details are not asked for. */
export const getEbayDetails: Handler = (context, _seller, request) => {
  if (textOf(request.DetailName) !== 'ShippingServiceDetails') return { body: '' }
  const services = shippingServicesOf(context.siteId || '0').map(({ id, name, category, isDomestic, isSold }) => ({
    Description: name,
    ...(isDomestic ? {} : { InternationalService: true }),
    ShippingService: id,
    ServiceType: 'Flat',
    ...(isSold ? { ValidForSellingFlow: true } : {}),
    ShippingCategory: category,
  }))
  return { body: services.map((fields) => element('ShippingServiceDetails', fields)).join('') }
}
