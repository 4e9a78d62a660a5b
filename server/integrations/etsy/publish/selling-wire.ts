import { z } from 'zod'
import { unescapeHtml } from '../text.ts'
import { Money } from '../wire.ts'

/* Etsy's answers to calls that create and change listings. */

const Id = z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,18}$/)]).transform(String)

/** The parts of a listing that publishing needs. */
export const OwnListing = z.object({
  listing_id: Id,
  state: z.string(),
  url: z.string().nullish(),
  quantity: z.int().min(0).nullish(),
  /** Epoch seconds of the end of the four months that are paid. */
  ending_timestamp: z.int().nullish(),
  description: z.string().nullish(),
  price: Money.nullish(),
  skus: z.array(z.string()).nullish(),
  listing_type: z.string().nullish().catch(null),
  who_made: z.string().nullish(),
  when_made: z.string().nullish(),
  is_supply: z.boolean().nullish(),
})
export type OwnListing = z.infer<typeof OwnListing>

/** Each listing is read on its own, so that one odd listing does not lose its page. */
export const OwnListings = z.object({ count: z.int(), results: z.array(z.looseObject({}).catch({})) })
export type RawListing = z.infer<typeof OwnListings>['results'][number]

export const UploadedImage = z.object({ listing_image_id: Id, rank: z.number().nullish() })

/** An image of a listing. `url_fullxfull` is the address that an import stores. */
export const StoredImage = z.object({
  listing_image_id: Id,
  rank: z
    .number()
    .nullish()
    .transform((rank) => rank ?? 0),
  url_fullxfull: z.string().nullish(),
})
export type StoredImage = z.infer<typeof StoredImage>
export const Images = z.object({ results: z.array(StoredImage) })

export const ShippingProfiles = z.object({
  results: z.array(
    z.object({
      shipping_profile_id: Id,
      title: z.string().nullish(),
      is_deleted: z.boolean().nullish(),
      profile_type: z.string().nullish(),
    }),
  ),
})
export const ReturnPolicies = z.object({
  results: z.array(
    z.object({
      return_policy_id: Id,
      accepts_returns: z.boolean().nullish(),
      accepts_exchanges: z.boolean().nullish(),
      return_deadline: z.int().nullish(),
    }),
  ),
})
export const ReadinessStates = z.object({
  count: z.int().nullish(),
  results: z.array(
    z.object({
      readiness_state_id: Id,
      readiness_state: z.string().nullish(),
      processing_days_display_label: z.string().nullish(),
    }),
  ),
})

export const ProductionPartners = z.object({
  results: z.array(z.object({ production_partner_id: Id, partner_name: z.string().nullish() })),
})

const Scale = z.object({ scale_id: z.int(), display_name: z.string().nullish() })
const PropertyValue = z.object({
  value_id: z.int().nullish(),
  name: z.string().transform(unescapeHtml),
  scale_id: z.int().nullish(),
})
const TaxonomyProperty = z.object({
  property_id: z.int(),
  name: z.string().nullish(),
  display_name: z.string().nullish(),
  scales: z.array(Scale).nullish(),
  is_required: z.boolean().nullish(),
  supports_attributes: z.boolean().nullish(),
  possible_values: z.array(PropertyValue).nullish(),
  selected_values: z.array(PropertyValue).nullish(),
})
export type TaxonomyProperty = z.infer<typeof TaxonomyProperty>

/** The properties of a category. */
export const TaxonomyProperties = z.object({ results: z.array(TaxonomyProperty) })

/** Text that a later write sends back. Etsy escapes what it returns, so the escaped form would rename it. */
const SentBack = z.string().transform(unescapeHtml)

/** An inventory, with all fields that an update must send back unchanged. */
export const OwnInventory = z.object({
  products: z.array(
    z.object({
      sku: SentBack.nullish(),
      is_deleted: z.boolean().nullish(),
      property_values: z
        .array(
          z.object({
            property_id: z.int(),
            property_name: SentBack.nullish(),
            scale_id: z.int().nullish(),
            value_ids: z.array(z.int()).nullish(),
            values: z.array(SentBack).nullish(),
          }),
        )
        .nullish(),
      offerings: z.array(
        z.object({
          quantity: z.int(),
          is_enabled: z.boolean().nullish(),
          is_deleted: z.boolean().nullish(),
          price: Money.nullish(),
          readiness_state_id: z.int().nullish(),
        }),
      ),
    }),
  ),
  price_on_property: z.array(z.int()).nullish(),
  quantity_on_property: z.array(z.int()).nullish(),
  sku_on_property: z.array(z.int()).nullish(),
  readiness_state_on_property: z.array(z.int()).nullish(),
})
export type OwnInventory = z.infer<typeof OwnInventory>
