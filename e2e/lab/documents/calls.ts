import { z } from 'zod'
import { Order, OrdersAnswer } from '#server/integrations/ebay/orders/orders-wire.ts'
import { Fulfillments } from '#server/integrations/ebay/orders/shipping.ts'
import {
  CategorySuggestions,
  CategoryTree,
  ConditionPolicies,
  FulfillmentPolicies,
  ItemAspects,
  PaymentPolicies,
  ReturnPolicies,
} from '#server/integrations/ebay/publish/shop-wire.ts'
import { PublicKey } from '#server/integrations/ebay/push/push-keys.ts'
import { Destinations, Subscriptions } from '#server/integrations/ebay/push/subscriptions.ts'
import { IdentityAnswer } from '#server/integrations/ebay/wire.ts'
import { ReceiptsAnswer, WireReceipt } from '#server/integrations/etsy/orders/receipt-wire.ts'
import {
  Images,
  OwnInventory,
  OwnListing,
  OwnListings,
  ProductionPartners,
  ReadinessStates,
  ReturnPolicies as ReturnPoliciesOfEtsy,
  ShippingProfiles,
  TaxonomyProperties,
  UploadedImage,
} from '#server/integrations/etsy/publish/selling-wire.ts'
import { ListingsAnswer, SelfAnswer, ShopAnswer, TaxonomyAnswer, WireListing } from '#server/integrations/etsy/wire.ts'

/** A platform's published OpenAPI document, and the adapter's calls in it. */
export interface DocumentedApi {
  platform: 'ebay' | 'etsy'
  /** Prefix of the document's paths. */
  basePath: string
  /** Schemas that read the answer of each operation; none if its body is not needed. */
  calls: Record<string, readonly z.ZodType[]>
  /** Members that the document describes wrongly; they are not checked. */
  loose: readonly string[]
  /** Members of answers that the adapter reads although the document does not have them. */
  undocumented: readonly string[]
  /** Operations that the newest available document lacks, from clients that were generated from a newer one. */
  additions?: Record<string, Record<string, unknown>>
}

const listingsOfEtsy = ListingsAnswer.extend({ results: z.array(WireListing) })

export const documentedApis = {
  'ebay-account': {
    platform: 'ebay',
    basePath: '/sell/account/v1',
    calls: {
      getPaymentPolicies: [PaymentPolicies],
      getFulfillmentPolicies: [FulfillmentPolicies],
      getReturnPolicies: [ReturnPolicies],
    },
    loose: [],
    undocumented: [],
  },
  'ebay-fulfillment': {
    platform: 'ebay',
    basePath: '/sell/fulfillment/v1',
    calls: {
      getOrders: [OrdersAnswer.extend({ orders: z.array(Order) })],
      getOrder: [Order],
      getShippingFulfillments: [Fulfillments],
      createShippingFulfillment: [],
    },
    loose: [],
    undocumented: [],
  },
  'ebay-metadata': {
    platform: 'ebay',
    basePath: '/sell/metadata/v1',
    calls: { getItemConditionPolicies: [ConditionPolicies] },
    loose: [],
    undocumented: [],
  },
  'ebay-taxonomy': {
    platform: 'ebay',
    basePath: '/commerce/taxonomy/v1',
    calls: {
      getDefaultCategoryTreeId: [CategoryTree],
      getCategorySuggestions: [CategorySuggestions],
      getItemAspectsForCategory: [ItemAspects],
    },
    loose: [],
    undocumented: [],
  },
  'ebay-identity': {
    platform: 'ebay',
    basePath: '/commerce/identity/v1',
    calls: { getUser: [IdentityAnswer] },
    loose: [],
    undocumented: [],
  },
  'ebay-notification': {
    platform: 'ebay',
    basePath: '/commerce/notification/v1',
    calls: {
      getPublicKey: [PublicKey],
      updateConfig: [],
      getDestinations: [Destinations],
      createDestination: [],
      updateDestination: [],
      getSubscriptions: [Subscriptions],
      createSubscription: [],
      updateSubscription: [],
      enableSubscription: [],
    },
    // Documented as a string in answers, but eBay's own example has an object.
    loose: ['deliveryConfig'],
    undocumented: ['getDestinations destinations[].deliveryConfig.endpoint'],
  },
  etsy: {
    platform: 'etsy',
    basePath: '',
    calls: {
      ping: [],
      getMe: [SelfAnswer],
      getShop: [ShopAnswer],
      getListingsByShop: [listingsOfEtsy, OwnListings],
      getListingsByListingIds: [listingsOfEtsy],
      getListingsInventoryByListingIds: [listingsOfEtsy.pick({ results: true })],
      getListing: [WireListing, OwnListing],
      getListingInventory: [OwnInventory],
      getListingImages: [Images],
      getSellerTaxonomyNodes: [TaxonomyAnswer],
      getPropertiesByTaxonomyId: [TaxonomyProperties],
      updateListingProperty: [],
      createDraftListing: [OwnListing],
      uploadListingImage: [UploadedImage],
      updateListing: [OwnListing],
      updateListingInventory: [],
      deleteListing: [],
      getShopReceipts: [ReceiptsAnswer.extend({ results: z.array(WireReceipt) })],
      getShopReceipt: [WireReceipt],
      createReceiptShipment: [],
      getShopShippingProfiles: [ShippingProfiles],
      getShopReturnPolicies: [ReturnPoliciesOfEtsy],
      getShopReadinessStateDefinitions: [ReadinessStates],
      getShopProductionPartners: [ProductionPartners],
    },
    // Its values change every year.
    loose: ['when_made'],
    // The adapter treats them as optional.
    undocumented: ['createDraftListing skus', 'updateListing skus'],
    additions: {
      '/v3/application/listings/batch/inventory': {
        get: {
          operationId: 'getListingsInventoryByListingIds',
          parameters: [
            {
              name: 'listing_ids',
              in: 'query',
              required: true,
              schema: { type: 'array', items: { type: 'integer', minimum: 1 } },
            },
          ],
          responses: {
            200: {
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/ShopListingsWithAssociations' } },
              },
            },
          },
        },
      },
    },
  },
} satisfies Record<string, DocumentedApi>

export type ApiName = keyof typeof documentedApis

export const apiNames = Object.keys(documentedApis) as ApiName[]
