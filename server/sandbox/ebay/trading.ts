import { endFixedPriceItem, endItem, reviseFixedPriceItem, reviseItem } from './ending.ts'
import { runningSale, type SandboxItem, unitsLeft } from './item.ts'
import { addFixedPriceItem, getEbayDetails, verifyAddFixedPriceItem } from './selling/add-item.ts'
import type { Handler, TradingContext, TradingFault } from './trading-call.ts'
import { childrenOf, element, elements, escapeXml, readXml, textOf, type XmlElement } from './xml.ts'

export const tradingFaults = {
  noToken: {
    code: '930',
    short: 'No XML <RequestPassword> or <RequestToken> was specified.',
    long: 'No token was specified.',
  },
  invalidToken: { code: '21916984', short: 'Invalid IAF token.', long: 'IAF token supplied is invalid. ' },
  expiredToken: { code: '21917053', short: 'Expired IAF token.', long: 'IAF token supplied is expired. ' },
  authFailed: {
    code: '931',
    short: 'Auth token is invalid.',
    long: 'Validation of the authentication token in API request failed.',
  },
  callLimit: {
    code: '518',
    short: 'Call usage limit has been reached.',
    long: 'Your application has exceeded usage limit on this call, please make call to Developer Analytics API to check your call usage.',
  },
  shortLimit: {
    code: '21919144',
    short: 'Maximum Call Limit Exceeded.',
    long: 'You have exceeded your maximum call limit of 300 for 15 seconds. Try back after 15 seconds.',
  },
  unsupportedCall: {
    code: '2',
    short: 'Unsupported API call.',
    long: 'The API call is invalid or not supported in this release.',
  },
  badSite: { code: '10027', short: 'Invalid site ID.', long: 'The site ID of the request is not valid.' },
  badXml: { code: '5', short: 'XML Parse error.', long: 'XML Error Text: the request is not well-formed.' },
  badInput: {
    code: '37',
    short: 'Input data is invalid.',
    long: 'Input data for tag <EntriesPerPage> is invalid or missing.',
  },
  noRange: {
    code: '37',
    short: 'Input data is invalid.',
    long: 'Input data for tag <EndTimeFrom> is invalid or missing. Specify a range of start or end times of at most 120 days.',
  },
  badPage: { code: '340', short: 'Page number is out of range.', long: 'Specified page number is out of range.' },
  noItem: {
    code: '17',
    short: 'Item cannot be accessed.',
    long: 'This item cannot be accessed because the listing has been deleted, is a Half.com listing, or you are not the seller.',
  },
  internal: {
    code: '10007',
    short: 'Internal error to the application.',
    long: 'Internal error to the application.',
    classification: 'SystemError',
  },
} satisfies Record<string, TradingFault>

/** Answers a seller's Trading call with XML. */
export function answerTrading(context: TradingContext, call: string, seller: string, requestXml: string): string {
  const handler = handlers.get(call)
  if (!handler) return failure(context, call, tradingFaults.unsupportedCall)
  const request = readXml(requestXml, `${call}Request`)
  if (!request) return failure(context, call, tradingFaults.badXml)
  const answer = handler(context, seller, request)
  if ('code' in answer) return failure(context, call, answer)
  const { body, warnings = [] } = answer
  const errors = warnings.map((warning) => errorXml(warning, 'Warning')).join('')
  return envelope(context, call, errors === '' ? 'Success' : 'Warning', errors, body)
}

/** Returns an answer with Ack Failure. */
export function failure(context: Pick<TradingContext, 'clock'>, call: string, fault: TradingFault): string {
  return envelope(context, call, 'Failure', errorXml(fault, 'Error'), '')
}

function errorXml(fault: TradingFault, SeverityCode: 'Error' | 'Warning'): string {
  const head = elements({ ShortMessage: fault.short, LongMessage: fault.long, ErrorCode: fault.code, SeverityCode })
  const parameters = (fault.parameters ?? []).map(
    (value, index) => `<ErrorParameters ParamID="${index}">${element('Value', value)}</ErrorParameters>`,
  )
  const classification = element('ErrorClassification', fault.classification ?? 'RequestError')
  return `<Errors>${head}${parameters.join('')}${classification}</Errors>`
}

function envelope(
  context: Pick<TradingContext, 'clock'>,
  call: string,
  ack: string,
  errors: string,
  body: string,
): string {
  const head = `<Timestamp>${context.clock().toISOString()}</Timestamp><Ack>${ack}</Ack>${errors}<Version>1455</Version><Build>E1455_SANDBOX_R1</Build>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${call}Response xmlns="urn:ebay:apis:eBLBaseComponents">${head}${body}</${call}Response>`
}

const getUser: Handler = (context, seller) => ({
  body: element('User', {
    AboutMePage: false,
    FeedbackScore: 512,
    IDVerified: true,
    Site: 'US',
    Status: 'Confirmed',
    UserID: context.market.seller(seller)!.username,
  }),
})

const getItem: Handler = (context, _seller, request) => {
  const found = context.market.seen(textOf(request.ItemID), context.lag?.ms ?? 0)
  if (!found) return tradingFaults.noItem
  if (context.market.takeFailure(found.item.itemId)) return tradingFaults.internal
  const { item } = found
  const wantsAll = ['ReturnAll', 'ItemReturnDescription'].includes(textOf(request.DetailLevel))
  const wantsSpecifics = textOf(request.IncludeItemSpecifics) === 'true'
  const shown = { all: wantsAll, specifics: wantsSpecifics, seller: found.seller, variations: true }
  return { body: `<Item>${itemXml(context, item, shown)}</Item>` }
}

interface Shown {
  all: boolean
  specifics: boolean
  /** Null in GetSellerList, which names the seller once for all items. */
  seller: string | null
  /** Whether to include the specifics that distinguish variations. */
  variations: boolean
}

function itemXml(
  context: TradingContext,
  item: SandboxItem,
  { all, specifics, seller, variations: isNamed }: Shown,
): string {
  return [
    elements({ AutoPay: true }),
    money('BuyItNowPrice', '0.0', item.currency),
    elements({ Country: 'US', Currency: item.currency, Description: all ? item.description : undefined }),
    elements({ HitCounter: 'NoHitCounter', ItemID: item.itemId }),
    listingDetails(context, item),
    elements({
      ListingDuration: item.listingType === 'Chinese' ? 'Days_7' : 'GTC',
      ListingType: item.listingType,
      Location: 'Portland, Oregon',
      PrimaryCategory: { CategoryID: item.category.id, CategoryName: item.category.name },
      PrivateListing: false,
      Quantity: item.quantity,
    }),
    seller === null
      ? ''
      : elements({ Seller: { AboutMePage: false, Email: 'Invalid Request', FeedbackScore: 512, UserID: seller } }),
    `<SellingStatus><BidCount>${item.bids ?? 0}</BidCount>${currentPrice(context, item)}<LeadCount>0</LeadCount><QuantitySold>${item.quantitySold}</QuantitySold><ReserveMet>true</ReserveMet><ListingStatus>${item.status}</ListingStatus></SellingStatus>`,
    elements({ ShipToLocations: 'US', Site: item.site ?? 'US' }),
    elements({
      BestOfferDetails:
        item.openOffers || item.autoDecline || item.autoAccept
          ? { BestOfferCount: item.openOffers, BestOfferEnabled: true }
          : undefined,
    }),
    money('StartPrice', item.listingType === 'Chinese' ? '9.99' : item.price, item.currency),
    elements({ TimeLeft: item.status === 'Active' ? 'P12DT3H40M38S' : 'PT0S', Title: item.title }),
    elements({ SKU: item.sku ?? undefined, PostalCode: '97201' }),
    pictures(context, item),
    elements({ ConditionID: item.conditionId, ConditionDisplayName: item.conditionName ?? undefined }),
    elements({ ConditionDescription: item.conditionNotes ?? undefined }),
    specifics && item.specifics.length > 0 ? `<ItemSpecifics>${nameValues(item.specifics)}</ItemSpecifics>` : '',
    variations(item, isNamed),
    all ? productDetails(item) : '',
    all ? packageDetails(item) : '',
    // As in captured answers of GetSellerList.
    elements({ RelistParentID: item.relistParentId, HideFromSearch: false }),
  ].join('')
}

function productDetails({ product }: SandboxItem): string {
  if (!product) return ''
  const { isbn, ean, upc, brand, mpn } = product
  const pair = brand && mpn ? { BrandMPN: { Brand: brand, MPN: mpn } } : {}
  return elements({
    ProductListingDetails: { ISBN: isbn, EAN: ean, UPC: upc, ...pair, IncludeeBayProductDetails: false },
  })
}

/** Returns the parcel. eBay sends zeros for unknown measures. */
function packageDetails({ parcel }: SandboxItem): string {
  const measure = (name: string, value: number, unit: string) =>
    `<${name} unit="${unit}" measurementSystem="English">${value}</${name}>`
  return [
    '<ShippingPackageDetails>',
    measure('PackageDepth', parcel?.height ?? 0, 'in'),
    measure('PackageLength', parcel?.length ?? 0, 'in'),
    measure('PackageWidth', parcel?.width ?? 0, 'in'),
    '<ShippingIrregular>false</ShippingIrregular><ShippingPackage>PackageThickEnvelope</ShippingPackage>',
    measure('WeightMajor', parcel?.pounds ?? 0, 'lbs'),
    measure('WeightMinor', parcel?.ounces ?? 0, 'oz'),
    '</ShippingPackageDetails>',
  ].join('')
}

function listingDetails(context: TradingContext, item: SandboxItem): string {
  return elements({
    ListingDetails: {
      Adult: false,
      BindingAuction: false,
      CheckoutEnabled: true,
      HasReservePrice: false,
      RelistedItemID: item.relistedItemId,
      StartTime: item.startTime,
      EndTime: endOf(context, item),
      MinimumBestOfferPrice: item.autoDecline,
      BestOfferAutoAcceptPrice: item.autoAccept,
      ViewItemURL: `${context.baseUrl}/itm/${item.itemId}`,
      ViewItemURLForNaturalSearch: `${context.baseUrl}/itm/${item.itemId}`,
    },
  })
}

/** Returns the end of a listing. A listing that is good till cancelled renews every calendar month. */
function endOf(context: TradingContext, { startTime, endTime, endsAt }: SandboxItem): string {
  if (endTime !== null) return endTime
  if (endsAt !== undefined) return endsAt
  const end = new Date(startTime)
  const [day, now] = [end.getUTCDate(), context.clock().getTime()]
  for (let month = 1; end.getTime() <= now; month++) {
    end.setTime(Date.parse(startTime))
    end.setUTCMonth(end.getUTCMonth() + month, Math.min(day, 28))
  }
  return end.toISOString()
}

function pictures(context: TradingContext, item: SandboxItem): string {
  const urls =
    item.imageUrls ??
    Array.from(
      { length: item.pictures },
      (_, index) => `${context.baseUrl}/images/${item.picturesOf ?? item.itemId}/${index + 1}.png`,
    )
  const gallery = urls[0] ? element('GalleryURL', urls[0]) : ''
  const all = urls.map((url) => element('PictureURL', url)).join('')
  return `<PictureDetails><GalleryType>Gallery</GalleryType>${gallery}<PhotoDisplay>PicturePack</PhotoDisplay>${all}</PictureDetails>`
}

function variations(item: SandboxItem, isNamed: boolean): string {
  if (item.variations.length === 0) return ''
  const each = item.variations.map(
    ({ sku, price, quantity, quantitySold, specifics }) =>
      `<Variation>${element('SKU', sku)}${money('StartPrice', price, item.currency)}<Quantity>${quantity}</Quantity>${isNamed ? `<VariationSpecifics>${nameValues(specifics)}</VariationSpecifics>` : ''}<SellingStatus><QuantitySold>${quantitySold}</QuantitySold></SellingStatus></Variation>`,
  )
  return `<Variations>${each.join('')}</Variations>`
}

function nameValues(specifics: SandboxItem['specifics']): string {
  return specifics
    .map(({ name, values }) => {
      const all = values.map((value) => element('Value', value)).join('')
      return `<NameValueList>${element('Name', name)}${all}<Source>ItemSpecific</Source></NameValueList>`
    })
    .join('')
}

const lists = ['ActiveList', 'SoldList', 'UnsoldList'] as const

const getMyeBaySelling: Handler = (context, seller, request) => {
  const parts: string[] = []
  for (const list of lists) {
    const wanted = childrenOf(request[list])
    if (!wanted || textOf(wanted.Include) === 'false') continue
    const answer = listXml(context, seller, list, wanted)
    if ('code' in answer) return answer
    parts.push(answer.body)
  }
  return { body: parts.join('') }
}

const orderStatuses = ['All', 'AwaitingPayment', 'AwaitingShipment', 'PaidAndShipped']

function listXml(
  context: TradingContext,
  seller: string,
  list: (typeof lists)[number],
  wanted: XmlElement,
): { body: string } | TradingFault {
  const pagination = childrenOf(wanted.Pagination) ?? {}
  const size = Number(textOf(pagination.EntriesPerPage) || 25)
  const page = Number(textOf(pagination.PageNumber) || 1)
  if (!Number.isInteger(size) || size < 1 || size > 200) return tradingFaults.badInput
  const status = textOf(wanted.OrderStatusFilter) || 'All'
  if (list === 'SoldList' && !orderStatuses.includes(status)) return tradingFaults.badInput
  const all = listed(context, seller, list, Number(textOf(wanted.DurationInDays) || 31), textOf(wanted.Sort)).filter(
    (item) =>
      list !== 'SoldList' || status === 'All' || (status === 'AwaitingPayment') === (item.awaitsPayment ?? false),
  )
  const pages = Math.ceil(all.length / size)
  if (page > 1 && page > pages) return tradingFaults.badPage
  // eBay omits empty lists.
  if (all.length === 0) return { body: '' }
  const items = all.slice((page - 1) * size, page * size)
  const content =
    list === 'SoldList'
      ? `<OrderTransactionArray>${items.map((item, index) => saleXml(context, item, index)).join('')}</OrderTransactionArray>`
      : `<ItemArray>${items.map((item) => `<Item>${entryXml(context, item, list)}</Item>`).join('')}</ItemArray>`
  const result = elements({ PaginationResult: { TotalNumberOfPages: pages, TotalNumberOfEntries: all.length } })
  return { body: `<${list}>${content}${result}</${list}>` }
}

function listed(
  context: TradingContext,
  seller: string,
  list: (typeof lists)[number],
  days: number,
  sort: string,
): SandboxItem[] {
  const since = context.clock().getTime() - days * 86_400_000
  const recent = (item: SandboxItem) => item.endTime === null || Date.parse(item.endTime) >= since
  const all = context.market.itemsOf(seller)
  if (list === 'ActiveList') {
    const active = all.filter((item) => item.status === 'Active')
    return sort === 'StartTime' ? active : active.reverse()
  }
  const over = all
    .filter((item) =>
      list === 'SoldList' ? item.quantitySold > 0 : item.status !== 'Active' && item.quantitySold === 0,
    )
    .filter(recent)
    .sort((a, b) => (a.endTime ?? '').localeCompare(b.endTime ?? ''))
  return sort === 'EndTime' ? over : over.reverse()
}

/** Returns an item as lists show it: without a description, with one small picture. */
function entryXml(context: TradingContext, item: SandboxItem, list: (typeof lists)[number]): string {
  const gallery = item.pictures > 0 ? `${context.baseUrl}/images/${item.itemId}/1.png` : undefined
  return [
    elements({ ItemID: item.itemId }),
    elements({ ListingDetails: { StartTime: item.startTime, ViewItemURL: `${context.baseUrl}/itm/${item.itemId}` } }),
    elements({ ListingType: item.listingType, Quantity: item.quantity }),
    `<SellingStatus>${currentPrice(context, item)}<QuantitySold>${item.quantitySold}</QuantitySold></SellingStatus>`,
    elements({ SKU: item.sku ?? undefined, TimeLeft: 'P12DT3H40M38S', Title: item.title }),
    elements({ QuantityAvailable: list === 'ActiveList' ? unitsLeft(item) : undefined }),
    gallery ? elements({ PictureDetails: { GalleryURL: gallery } }) : '',
  ].join('')
}

/** Returns a sale in one of the two shapes that eBay uses. */
function saleXml(context: TradingContext, item: SandboxItem, index: number): string {
  const sale = `<Transaction><CreatedDate>${item.endTime ?? item.startTime}</CreatedDate><Item>${entryXml(context, item, 'SoldList')}</Item><QuantityPurchased>1</QuantityPurchased></Transaction>`
  const content =
    index % 2 === 0
      ? sale
      : `<Order><OrderID>03-${item.itemId}</OrderID><TransactionArray>${sale}</TransactionArray></Order>`
  return `<OrderTransaction>${content}</OrderTransaction>`
}

const longestRangeMs = 120 * 86_400_000

const getSellerList: Handler = (context, seller, request) => {
  const range = rangeOf(request, 'EndTime') ?? rangeOf(request, 'StartTime')
  if (!range || range.to < range.from || range.to - range.from > longestRangeMs) return tradingFaults.noRange
  const detail = textOf(request.DetailLevel)
  const pagination = childrenOf(request.Pagination)
  // A call with a detail level needs a page.
  if (!pagination && detail !== '') return tradingFaults.badInput
  const pages = pagination ?? {}
  const size = Number(textOf(pages.EntriesPerPage) || 25)
  const page = Number(textOf(pages.PageNumber) || 1)
  if (!Number.isInteger(size) || size < 1 || size > 200) return tradingFaults.badInput
  const timeOf = (item: SandboxItem) => Date.parse(range.of === 'EndTime' ? endOf(context, item) : item.startTime)
  const skus = [childrenOf(request.SKUArray)?.SKU ?? []].flat().map(textOf)
  const all = context.market
    .itemsOf(seller)
    // With SKUs, only active listings are returned.
    .filter(({ sku, status }) => skus.length === 0 || (skus.includes(sku ?? '') && status === 'Active'))
    .filter((item) => timeOf(item) >= range.from && timeOf(item) <= range.to)
    .sort(sortOf(textOf(request.Sort), (item) => Date.parse(endOf(context, item))))
  const count = Math.ceil(all.length / size)
  if (page > 1 && page > count) return tradingFaults.badPage
  const items = all.slice((page - 1) * size, page * size)
  const variations = textOf(request.IncludeVariations) === 'true'
  const shown = { all: true, specifics: false, seller: null, variations }
  const each = (item: SandboxItem) =>
    detail === 'ReturnAll'
      ? itemXml(context, item, shown)
      : elements({ ItemID: item.itemId, ListingDetails: { StartTime: item.startTime, EndTime: endOf(context, item) } })
  return {
    body: [
      elements({ PaginationResult: { TotalNumberOfPages: count, TotalNumberOfEntries: all.length } }),
      elements({ HasMoreItems: page < count }),
      items.length > 0 ? `<ItemArray>${items.map((item) => `<Item>${each(item)}</Item>`).join('')}</ItemArray>` : '',
      elements({ ItemsPerPage: size, PageNumber: page, ReturnedItemCountActual: items.length }),
      elements({ Seller: { AboutMePage: false, FeedbackScore: 512, UserID: seller } }),
    ].join(''),
  }
}

function rangeOf(request: XmlElement, of: 'EndTime' | 'StartTime') {
  const [from, to] = [Date.parse(textOf(request[`${of}From`])), Date.parse(textOf(request[`${of}To`]))]
  return Number.isNaN(from) || Number.isNaN(to) ? null : { of, from, to }
}

/** Sorts by eBay's codes: 0 for no order, 1 for latest end first, 2 for earliest end first. */
function sortOf(sort: string, endOfItem: (item: SandboxItem) => number) {
  const direction = { '1': -1, '2': 1 }[sort] ?? 0
  return (one: SandboxItem, other: SandboxItem) =>
    direction * (endOfItem(one) - endOfItem(other)) || one.itemId.localeCompare(other.itemId)
}

/**
 * Returns what buyers pay. During a sale event it is lower, and the seller's price stands in PromotionalSaleDetails
 * (PromotionalSaleDetailsType, 1451) and in StartPrice (KB 1965).
 */
function currentPrice(context: TradingContext, item: SandboxItem): string {
  const sale = runningSale(item, context.clock())
  if (!sale) return money('CurrentPrice', item.price, item.currency)
  const times = elements({ StartTime: sale.startsAt, EndTime: sale.endsAt })
  const details = `<PromotionalSaleDetails>${money('OriginalPrice', item.price, item.currency)}${times}</PromotionalSaleDetails>`
  return `${money('CurrentPrice', sale.price, item.currency)}${details}`
}

function money(name: string, amount: string, currency: string): string {
  return `<${name} currencyID="${escapeXml(currency)}">${escapeXml(amount)}</${name}>`
}

const handlers = new Map<string, Handler>(
  Object.entries({
    GetItem: getItem,
    GetMyeBaySelling: getMyeBaySelling,
    GetSellerList: getSellerList,
    GetUser: getUser,
    GeteBayDetails: getEbayDetails,
    AddFixedPriceItem: addFixedPriceItem,
    EndFixedPriceItem: endFixedPriceItem,
    EndItem: endItem,
    ReviseFixedPriceItem: reviseFixedPriceItem,
    ReviseItem: reviseItem,
    VerifyAddFixedPriceItem: verifyAddFixedPriceItem,
  }),
)
