import { describe, expect, it } from 'vitest'
import { type ApiName, documentedApis } from './calls.ts'
import { compareDocuments } from './compare.ts'
import { readKept, readKeptTrading, readSent } from './keep.ts'
import type { KeptDocument, Operation, Schema } from './schema.ts'
import { compareTrading, type KeptTrading } from './trading.ts'

/** Compares the kept document with a changed copy. */
function changed(name: ApiName, change: (document: KeptDocument) => void): { used: string[]; others: string[] } {
  const newer = structuredClone(readKept(name))
  change(newer)
  const changes = compareDocuments(name, readKept(name), newer, readSent())
  const lines = (used: boolean) => changes.filter((one) => one.used === used).map(({ line }) => line)
  return { used: lines(true), others: lines(false) }
}

function operation(document: KeptDocument, id: string): Operation {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  return all.find(({ operationId }) => operationId === id)!
}

const schema = (document: KeptDocument, name: string): Schema => document.components.schemas[name]!
const members = (document: KeptDocument, name: string) => schema(document, name).properties!
const form = (document: KeptDocument, id: string): Schema =>
  operation(document, id).requestBody!.content['application/x-www-form-urlencoded']!.schema!

describe('a newer document', () => {
  it.each(Object.keys(documentedApis) as ApiName[])('has no changes if it is equal: %s', (name) => {
    expect(changed(name, () => {})).toEqual({ used: [], others: [] })
  })

  it.each<[string, ApiName, (document: KeptDocument) => void, string]>([
    [
      'an operation is gone',
      'ebay-fulfillment',
      (document) => delete document.paths['/sell/fulfillment/v1/order/{orderId}'],
      'getOrder: the operation was removed',
    ],
    [
      'an operation has another path',
      'ebay-fulfillment',
      (document) => {
        document.paths['/sell/fulfillment/v1/orders'] = { get: operation(document, 'getOrders') }
        delete document.paths['/sell/fulfillment/v1/order']!.get
      },
      'getOrders: GET /sell/fulfillment/v1/order became GET /sell/fulfillment/v1/orders',
    ],
    [
      'a parameter that is sent is gone',
      'etsy',
      (document) => {
        const found = operation(document, 'getShopReceipts')
        found.parameters = found.parameters.filter(({ name }) => name !== 'min_last_modified')
      },
      'getShopReceipts: the parameter min_last_modified was removed',
    ],
    [
      'a parameter is required now',
      'etsy',
      (document) => {
        const { parameters } = operation(document, 'getListing')
        parameters.push({ name: 'region', in: 'query', required: true, schema: { type: 'string' } })
      },
      'getListing: the parameter region is new and required',
    ],
    [
      'a parameter has a smaller bound',
      'etsy',
      (document) => {
        const limit = operation(document, 'getShopReceipts').parameters.find(({ name }) => name === 'limit')!
        limit.schema.maximum = 50
      },
      'getShopReceipts: the parameter limit has the maximum 50 now',
    ],
    [
      'a value of a list is no longer taken',
      'etsy',
      (document) => {
        const includes = operation(document, 'getListing').parameters.find(({ name }) => name === 'includes')!
        const { items } = includes.schema
        items!.enum = items!.enum!.filter((value) => value !== 'Images')
      },
      'getListing: the parameter includes no longer takes Images',
    ],
    [
      'a member that is sent is gone',
      'ebay-fulfillment',
      (document) => delete members(document, 'ShippingFulfillmentDetails').trackingNumber,
      'createShippingFulfillment: trackingNumber was removed from the body',
    ],
    [
      'a member of a form is required now',
      'etsy',
      (document) => form(document, 'createDraftListing').required!.push('production_partner_ids'),
      'createDraftListing: production_partner_ids is required in the body now',
    ],
    [
      'a value of a form is no longer taken',
      'etsy',
      (document) => {
        form(document, 'updateListing').properties!.state!.enum = ['active']
      },
      'updateListing: state in the body no longer takes inactive',
    ],
    [
      'a member of an answer is gone',
      'ebay-fulfillment',
      (document) => delete members(document, 'Order').lineItems,
      'getOrder: the answer no longer has lineItems',
    ],
    [
      'a member of an answer has another type',
      'ebay-taxonomy',
      (document) => {
        members(document, 'BaseCategoryTree').categoryTreeId = { type: 'integer' }
      },
      'getDefaultCategoryTreeId: categoryTreeId of the answer was string and is integer',
    ],
    [
      'a member of an answer has a new value',
      'etsy',
      (document) => {
        members(document, 'ShopListing').state!.enum!.push('paused')
      },
      'updateListing: state of the answer may be paused now',
    ],
    [
      'a further scope is asked for',
      'etsy',
      (document) => {
        operation(document, 'getShopReceipts').security = [{ oauth2: ['transactions_r', 'email_r'] }]
      },
      'getShopReceipts: the scope email_r is asked for now',
    ],
  ])('has a used change if %s', (_name, document, change, line) => {
    expect(changed(document, change).used).toContain(line)
  })

  it('lists changes of unused parts separately', () => {
    const { used, others } = changed('etsy', (document) => {
      const listing = operation(document, 'getListing')
      listing.parameters = listing.parameters.filter(({ name }) => name !== 'legacy')
      listing.parameters.push({ name: 'region', in: 'query', required: false, schema: { type: 'string' } })
      const { items } = listing.parameters.find(({ name }) => name === 'includes')!.schema
      items!.enum = items!.enum!.filter((value) => value !== 'Inventory')
      form(document, 'updateListing').properties!.mood = { type: 'string' }
      delete members(document, 'ShopListing').num_favorers
      document.operations = [...document.operations.filter((id) => id !== 'getPayments'), 'getMoods']
    })
    expect(used).toEqual([])
    expect(others).toEqual([
      'getListing: the parameter includes no longer takes Inventory',
      'getListing: the parameter legacy was removed',
      'getListing: the parameter region is new',
      'updateListing: mood is new in the body',
      'getPayments: the operation was removed',
      'getMoods: the operation is new',
    ])
  })

  it.each(['oneOf', 'anyOf', 'allOf'] as const)('finds a member behind a reference in %s', (word) => {
    const { used, others } = changed('ebay-fulfillment', (document) => {
      const { items } = members(document, 'Order').lineItems!
      members(document, 'Order').lineItems = { type: 'array', items: { [word]: [items!] } }
    })
    expect([used, others]).toEqual([[], []])
  })

  it('reports a removed member once, without its members', () => {
    const { used } = changed('ebay-fulfillment', (document) => delete members(document, 'Order').lineItems)
    expect(used).toEqual([
      'getOrders: the answer no longer has orders[].lineItems',
      'getOrder: the answer no longer has lineItems',
    ])
  })
})

describe("a newer schema of eBay's Trading API", () => {
  const compare = (change: (kept: KeptTrading) => void) => {
    const newer = structuredClone(readKeptTrading())
    change(newer)
    return compareTrading(readKeptTrading(), newer, readSent())
  }
  const without = (kept: KeptTrading, type: string, element: string) => {
    const found = kept.types[type]!
    found.elements = found.elements!.filter(([name]) => name !== element)
  }

  it('has no changes if it is equal', () => {
    expect(compare(() => {})).toEqual([])
  })

  it.each<[string, (kept: KeptTrading) => void, string]>([
    ['a call is gone', (kept) => delete kept.types.EndItemRequestType, 'EndItem: the call was removed'],
    [
      'an element that is sent is gone',
      (kept) => without(kept, 'EndFixedPriceItemRequestType', 'EndingReason'),
      'EndFixedPriceItem: EndingReason was removed from the request',
    ],
    [
      'a value is no longer taken',
      (kept) => {
        kept.types.EndReasonCodeType!.values = ['Incorrect']
      },
      'EndFixedPriceItem: EndingReason no longer takes NotAvailable',
    ],
    [
      'an element that is read is gone',
      (kept) => without(kept, 'SellingStatusType', 'QuantitySold'),
      'GetItem: the answer no longer has Item.SellingStatus.QuantitySold',
    ],
    [
      'an element that is read has a new value',
      (kept) => kept.types.ListingStatusCodeType!.values!.push('Paused'),
      'GetItem: Item.SellingStatus.ListingStatus of the answer may be Paused now',
    ],
  ])('has a used change if %s', (_name, change, line) => {
    expect(compare(change)).toContainEqual({ used: true, line })
  })
})
