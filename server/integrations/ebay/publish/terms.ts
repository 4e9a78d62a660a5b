import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import type { ListingChoice, ShopAccess } from '#server/integrations/port.ts'
import type { Fields, Trading } from '../client.ts'
import { tradingSiteOf } from '../marketplaces.ts'
import { ShippingServices } from './add-wire.ts'
import type { SiteLanguage } from './choices.ts'

/* The terms of a listing whose seller has no business policies on its site. */

/** Cache time of a site's shipping services, which change a few times a year. */
const maxAgeMs = 86_400_000

export interface TermOptions {
  shipping_service?: string
  shipping_cost?: string
  handling_days?: string
  returns_within?: string
}

/**
 * Proposals by site: shipping services, of which the first that eBay offers is suggested, and a price. The prices are
 * rough, for a garment sent within the country, and sellers replace them.
 */
const usual: Record<string, { services: string[]; cost: string }> = {
  EBAY_US: { services: ['USPSGroundAdvantage', 'USPSParcel', 'ShippingMethodStandard'], cost: '8.50' },
  EBAY_GB: { services: ['UK_RoyalMailTracked48', 'UK_RoyalMailSecondClassStandard'], cost: '3.95' },
  EBAY_DE: { services: ['DE_DHLPaket', 'DE_HermesPaket'], cost: '6.19' },
  EBAY_CA: { services: ['CA_PostExpeditedParcel', 'CA_PostRegularParcel'], cost: '16.00' },
}

/**
 * Returns the choices of a listing's terms: a shipping service of the site and its price, the days until it is sent,
 * and how long it can be returned. The price has no suggestion, because a wrong one costs the seller money.
 */
export async function termChoices(
  trading: Trading,
  access: ShopAccess,
  { site, language, currency }: SiteLanguage & { currency: string },
  cache: AnswerCache,
): Promise<ListingChoice[]> {
  const { services = [], cost } = usual[site] ?? {}
  const offered = await readServices(trading, access, { site, language }, cache)
  const proposed =
    services.find((service) => offered.some(({ id }) => id === service)) ??
    offered.find(({ category }) => category === 'STANDARD' || category === 'ECONOMY')?.id
  const costs = [cost, '0.00'].filter((value) => value !== undefined)
  return [
    {
      option: 'shipping_service',
      required: true,
      values: offered.map(({ id, name }) => ({ id, name, suggested: id === proposed })),
    },
    {
      option: 'shipping_cost',
      required: true,
      free_text: true,
      values: costs.map((value) => ({ id: value, name: value === '0.00' ? 'Free shipping' : `${value} ${currency}` })),
    },
    {
      option: 'handling_days',
      required: true,
      values: [1, 2, 3, 5].map((days) => ({
        id: String(days),
        name: days === 1 ? 'Sent within 1 working day' : `Sent within ${days} working days`,
        suggested: days === 2,
      })),
    },
    {
      option: 'returns_within',
      required: true,
      values: [
        { id: '30', name: 'Returns within 30 days, the buyer pays for them', suggested: true },
        { id: '60', name: 'Returns within 60 days, the buyer pays for them' },
        { id: 'none', name: 'No returns' },
      ],
    },
  ]
}

/** Returns a site's domestic services that take a flat price, by GeteBayDetails. */
function readServices(trading: Trading, access: ShopAccess, { site, language }: SiteLanguage, cache: AnswerCache) {
  return cache.read(`services ${site} ${language}`, maxAgeMs, async () => {
    const root = await trading({
      name: 'GeteBayDetails',
      ...access,
      site: tradingSiteOf(site, language),
      fields: { DetailName: 'ShippingServiceDetails' },
    })
    return ShippingServices.parse(root)
      .ShippingServiceDetails.filter(
        ({ ValidForSellingFlow, InternationalService, ServiceType, ShippingCategory }) =>
          ValidForSellingFlow === 'true' &&
          InternationalService !== 'true' &&
          (ServiceType.length === 0 || ServiceType.includes('Flat')) &&
          ShippingCategory !== 'PICKUP',
      )
      .map(({ ShippingService, Description, ShippingCategory }) => ({
        id: ShippingService,
        name: Description || ShippingService,
        category: ShippingCategory,
      }))
  })
}

/** Returns a listing's terms as the fields of its item. */
export function inlineTerms(options: TermOptions, currency: string): Fields {
  const cost = options.shipping_cost ?? ''
  const isFree = !/[1-9]/.test(cost)
  return {
    DispatchTimeMax: options.handling_days,
    ReturnPolicy:
      options.returns_within === 'none'
        ? { ReturnsAcceptedOption: 'ReturnsNotAccepted' }
        : {
            ReturnsWithinOption: `Days_${options.returns_within}`,
            ReturnsAcceptedOption: 'ReturnsAccepted',
            ShippingCostPaidByOption: 'Buyer',
          },
    ShippingDetails: {
      ShippingServiceOptions: {
        ShippingService: options.shipping_service,
        ShippingServiceCost: { '@currencyID': currency, '#text': cost },
        ShippingServicePriority: 1,
        FreeShipping: isFree ? true : undefined,
      },
      ShippingType: 'Flat',
    },
  }
}
