import { z } from 'zod'

/*
 * Etsy's answers as sent. Etsy documents no member as required; the schemas require what a listing cannot be read
 * without. normalize.ts interprets them.
 */

export const Money = z.object({
  amount: z.int(),
  divisor: z.int(),
  currency_code: z.string().min(1),
})
export type Money = z.infer<typeof Money>

/** An id as a number or a string of digits. */
const Id = z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,18}$/)]).transform(String)

const Count = z.int().min(0)

/** Epoch seconds. */
const Timestamp = z.int().min(0)

const WireImage = z.object({ rank: z.number().nullish(), url_fullxfull: z.url({ protocol: /^https?$/ }) })

const Offering = z.object({
  quantity: Count,
  is_enabled: z.boolean().nullish(),
  is_deleted: z.boolean().nullish(),
  price: Money.nullish(),
})

const PropertyValue = z.object({
  property_id: z.int().nullish(),
  property_name: z.string().nullish(),
  values: z.array(z.string()).nullish(),
})
export type WirePropertyValue = z.infer<typeof PropertyValue>

const Product = z.object({
  sku: z.string().nullish(),
  is_deleted: z.boolean().nullish(),
  offerings: z.array(Offering).nullish(),
  property_values: z.array(PropertyValue).nullish(),
})
export type WireProduct = z.infer<typeof Product>

/** A listing of getListingsByShop, getListing and getListingsByListingIds. */
export const WireListing = z.object({
  listing_id: Id,
  shop_id: Id.nullish(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  url: z.string().nullish(),
  quantity: Count.nullish(),
  price: Money,
  skus: z.array(z.string()).nullish(),
  // Null if pictures were not requested.
  images: z.array(WireImage).nullish(),
  inventory: z.object({ products: z.array(Product).nullish() }).nullish(),
  original_creation_timestamp: Timestamp.nullish(),
  who_made: z.string().nullish(),
  when_made: z.string().nullish(),
  is_supply: z.boolean().nullish(),
  taxonomy_id: z.int().nullish(),
  materials: z.array(z.string()).nullish().catch(null),
  item_weight: z.number().nullish().catch(null),
  item_weight_unit: z.string().nullish().catch(null),
  item_length: z.number().nullish().catch(null),
  item_width: z.number().nullish().catch(null),
  item_height: z.number().nullish().catch(null),
  item_dimensions_unit: z.string().nullish().catch(null),
})
export type WireListing = z.infer<typeof WireListing>

/** The identifying fields of a listing, which are readable even if others are not. */
export const NamedListing = z.object({
  listing_id: Id,
  title: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  created_timestamp: Timestamp.optional().catch(undefined),
  price: Money.optional().catch(undefined),
  skus: z.array(z.string()).optional().catch(undefined),
})
export type NamedListing = z.infer<typeof NamedListing>

/** Each listing is parsed on its own, so that one unreadable listing does not lose its page. */
export const ListingsAnswer = z.object({ count: Count, results: z.array(z.unknown()) })
export type ListingsAnswer = z.infer<typeof ListingsAnswer>

export const TokenAnswer = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  expires_in: z.int().positive(),
  refresh_token: z.string().min(1),
})

/** GET /users/me. An account without a shop has no shop_id. */
export const SelfAnswer = z.object({ user_id: Id, shop_id: Id.nullish() })

export const ShopAnswer = z.object({
  shop_id: Id,
  shop_name: z.string().min(1),
  url: z.string().nullish(),
  currency_code: z.string().nullish(),
  is_vacation: z.boolean().nullish().catch(null),
})

/** GET /seller-taxonomy/nodes: a tree. */
export interface WireTaxonomyNode {
  id: number
  name: string
  children?: WireTaxonomyNode[] | null | undefined
}
const TaxonomyNode: z.ZodType<WireTaxonomyNode> = z.lazy(() =>
  z.object({ id: z.int(), name: z.string(), children: z.array(TaxonomyNode).nullish() }),
)
export const TaxonomyAnswer = z.object({ results: z.array(TaxonomyNode) })
