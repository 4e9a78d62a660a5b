import { z } from 'zod'

/*
 * eBay's answers as sent. Every value is text. A repeatable element arrives as itself when alone and as a list
 * otherwise. An element without content is an empty text. normalize.ts interprets them.
 */

const blank = (value: unknown) => typeof value === 'string' && value.trim() === ''

/** An element with text only; its attributes are dropped. */
export const Text = z.union([z.string(), z.object({ '#text': z.string() }).transform((element) => element['#text'])])

/** An amount with its currency, which old answers omit. */
const Amount = z.union([
  z.string().transform((value) => ({ value, currency: undefined })),
  z
    .object({ '#text': z.string().default(''), '@currencyID': z.string().optional() })
    .transform((element) => ({ value: element['#text'], currency: element['@currencyID'] })),
])

/** A weight or a length with its unit. */
const Measure = z.union([
  z.string().transform((value) => ({ value, unit: '' })),
  z
    .object({ '#text': z.string().default(''), '@unit': z.string().default('') })
    .transform((element) => ({ value: element['#text'], unit: element['@unit'] })),
])

/** An element that may be missing or empty. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (blank(value) ? undefined : value), schema.optional()).optional()

/** An element that may be missing, single or repeated, as a list. */
export const list = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((value) => {
      if (value === undefined || blank(value)) return []
      return Array.isArray(value) ? value.filter((entry) => !blank(entry)) : [value]
    }, z.array(schema))
    .default([])

const NameValues = z.object({ NameValueList: list(z.object({ Name: Text, Value: list(Text) })) })

/** A markdown sale, while `CurrentPrice` may be lower than the seller's price. */
const PromotionalSaleDetails = optional(
  z.object({ OriginalPrice: optional(Amount), StartTime: optional(Text), EndTime: optional(Text) }),
).catch(undefined)
export type WireSale = z.output<typeof PromotionalSaleDetails>

const Variation = z.object({
  SKU: optional(Text),
  StartPrice: optional(Amount),
  Quantity: optional(Text),
  SellingStatus: optional(
    z.object({ QuantitySold: optional(Text), ListingStatus: optional(Text), PromotionalSaleDetails }),
  ),
  VariationSpecifics: list(NameValues),
})

export type WireVariation = z.output<typeof Variation>

/** An item of GetItem, GetSellerList and GetMyeBaySelling, with the elements that a listing needs. */
export const WireItem = z.object({
  ItemID: Text.refine((id) => id.trim() !== '', 'is empty'),
  Title: Text.optional(),
  Description: optional(Text),
  SKU: optional(Text),
  Currency: optional(Text),
  Site: optional(Text),
  ListingType: optional(Text),
  Quantity: optional(Text),
  QuantityAvailable: optional(Text),
  StartPrice: optional(Amount),
  BuyItNowPrice: optional(Amount),
  SellingStatus: optional(
    z.object({
      BidCount: optional(Text),
      CurrentPrice: optional(Amount),
      QuantitySold: optional(Text),
      ListingStatus: optional(Text),
      PromotionalSaleDetails,
    }),
  ),
  ListingDetails: optional(
    z.object({
      RelistedItemID: optional(Text),
      StartTime: optional(Text),
      EndTime: optional(Text),
      ViewItemURL: optional(Text),
      MinimumBestOfferPrice: optional(Amount).catch(undefined),
      BestOfferAutoAcceptPrice: optional(Amount).catch(undefined),
    }),
  ),
  BestOfferDetails: optional(z.object({ BestOfferCount: optional(Text) })).catch(undefined),
  PictureDetails: optional(
    z.object({ PictureURL: list(Text), ExternalPictureURL: list(Text), GalleryURL: optional(Text) }),
  ),
  ConditionID: optional(Text),
  ConditionDisplayName: optional(Text),
  ConditionDescription: optional(Text),
  ConditionDescriptors: optional(
    z.object({
      ConditionDescriptor: list(z.object({ Name: Text, Value: list(Text), AdditionalInfo: optional(Text) })),
    }),
  )
    .catch(undefined)
    .transform((descriptors) => descriptors?.ConditionDescriptor ?? []),
  PrimaryCategory: optional(z.object({ CategoryID: optional(Text), CategoryName: optional(Text) })),
  Seller: optional(z.object({ UserID: optional(Text) })),
  ItemSpecifics: optional(NameValues),
  ProductListingDetails: optional(
    z.object({
      ISBN: optional(Text),
      EAN: optional(Text),
      UPC: optional(Text),
      BrandMPN: optional(z.object({ Brand: optional(Text), MPN: optional(Text) })),
    }),
  ).catch(undefined),
  ShippingPackageDetails: optional(
    z.object({
      WeightMajor: optional(Measure),
      WeightMinor: optional(Measure),
      PackageLength: optional(Measure),
      PackageWidth: optional(Measure),
      PackageDepth: optional(Measure),
    }),
  ).catch(undefined),
  RelistParentID: optional(Text),
  Variations: optional(z.object({ Variation: list(Variation) })),
})
export type WireItem = z.output<typeof WireItem>

/** The identifying elements of an item, which are readable even if others are not. */
export const WireItemName = WireItem.pick({ ItemID: true, Title: true, ListingDetails: true })

/** The listing that an item replaces, and the one that replaced it. */
export const WireRelisting = WireItem.pick({ RelistParentID: true, ListingDetails: true })

/** Units left of an item, in lists only. */
export const WireItemLeft = WireItem.pick({ QuantityAvailable: true })

/** Further elements of an item in a list, all optional. */
export const WireItemOffer = WireItem.pick({
  SKU: true,
  Currency: true,
  ListingType: true,
  StartPrice: true,
  SellingStatus: true,
}).partial()

/** Each item is parsed on its own, so that one unreadable item does not lose its page. */
const ItemArray = optional(z.object({ Item: list(z.unknown()) }))

const PaginationResult = optional(
  z.object({ TotalNumberOfPages: optional(Text), TotalNumberOfEntries: optional(Text) }),
)

const ItemList = optional(z.object({ ItemArray, PaginationResult }))

const Transaction = z.object({ Item: z.unknown() })

/** A sale is single or part of an order of several lines. One list has both shapes. */
const OrderTransaction = z.object({
  Transaction: optional(Transaction),
  Order: optional(z.object({ TransactionArray: optional(z.object({ Transaction: list(Transaction) })) })),
})

const SoldList = optional(
  z.object({
    OrderTransactionArray: optional(z.object({ OrderTransaction: list(OrderTransaction) })),
    PaginationResult,
  }),
)

/** The beginning of every Trading answer. */
export const TradingAnswer = z.object({
  Ack: Text,
  Errors: list(
    z.object({
      ShortMessage: optional(Text),
      LongMessage: optional(Text),
      ErrorCode: optional(Text),
      SeverityCode: optional(Text),
      ErrorParameters: list(
        z
          .object({ '@ParamID': z.string().optional(), Value: list(Text) })
          .transform(({ '@ParamID': ParamID, Value }) => ({ ParamID, Value })),
      ).catch([]),
      ErrorClassification: optional(Text),
    }),
  ),
})
export type TradingAnswer = z.output<typeof TradingAnswer>

/** `Timestamp` is eBay's clock; absent from old captures. */
export const GetItemAnswer = z.object({ Timestamp: z.coerce.date().catch(() => new Date()), Item: z.unknown() })

export const GetMyeBaySellingAnswer = z.object({ ActiveList: ItemList, SoldList, UnsoldList: ItemList })
export type GetMyeBaySellingAnswer = z.output<typeof GetMyeBaySellingAnswer>

/** GetSellerList has its items without a surrounding list element. */
export const GetSellerListAnswer = z.object({ ItemArray, PaginationResult, HasMoreItems: optional(Text) })

export const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().int().positive(),
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().int().positive().optional(),
})

/** GET /commerce/identity/v1/user/ */
export const IdentityAnswer = z.object({
  userId: z.string().min(1),
  username: z.string().min(1).optional(),
  registrationMarketplaceId: z.string().nullish(),
})
