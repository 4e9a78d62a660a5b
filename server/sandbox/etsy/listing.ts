import { noteOf } from '../kit/notes.ts'

/** A listing in the sandbox's market. Texts are unescaped, as the seller typed them. */
export interface SandboxListing {
  listingId: number
  title: string
  description: string
  /** "edit" is an old word, which no document has any more: such a listing stands among the inactive ones. */
  state: 'active' | 'inactive' | 'sold_out' | 'draft' | 'expired' | 'edit'
  currency: string
  /** The divisor of amounts: 100, rarely anything else. */
  divisor: number
  /** At least one; several for sizes or colors. */
  products: SandboxProduct[]
  pictures: number
  /** The identity that pictures are drawn from: the same item elsewhere has the same pictures. */
  pictured: { id: string; title: string }
  /** Physical by default. */
  type?: 'physical' | 'download' | 'both'
  /** A digital listing whose file is sent at once, not made to order. No answer shows it. */
  isInstant?: boolean
  whoMade: 'i_did' | 'someone_else' | 'collective'
  whenMade: string
  isSupply: boolean
  taxonomyId: number
  tags: string[]
  /** Epoch seconds: first listed, last renewed, last changed. */
  originalCreated: number
  created: number
  updated: number
  /** Shipping choices of the seller; the shop's usual ones by default. */
  shippingProfileId?: number | null
  returnPolicyId?: number | null
  readinessStateId?: number | null
  /** Weight and size of the parcel, in Etsy's fields. */
  measures?: SandboxMeasures
  materials?: string[]
  /** Values of the category's properties, by the id of the property. */
  attributes?: Record<number, SandboxAttribute>
  /** Pictures by rank, once the seller has changed them; without them the sandbox draws the pictures. */
  uploads?: SandboxImage[]
  /** Number of pictures ever uploaded. */
  uploaded?: number
  /** Answers with its pictures that will still fail. */
  failures: number | 'always'
}

/** A picture that was uploaded, or the one that the sandbox draws as `drawn`. */
type SandboxImage = { id: number } & ({ sha256: string; type: string } | { drawn: number })

/** Returns the pictures of a listing by rank. */
export function imagesOf(listing: SandboxListing): SandboxImage[] {
  return (
    listing.uploads ??
    Array.from({ length: listing.pictures }, (_, index) => ({
      id: (listing.listingId % 100_000_000) * 100 + index + 1,
      drawn: index + 1,
    }))
  )
}

export interface SandboxAttribute {
  valueIds: number[]
  values: string[]
  scaleId: number | null
}

export interface SandboxMeasures {
  item_weight?: number
  item_weight_unit?: string
  item_length?: number
  item_width?: number
  item_height?: number
  item_dimensions_unit?: string
}

interface SandboxProduct {
  sku: string
  amount: number
  quantity: number
  isEnabled: boolean
  properties: { id: number; name: string; values: string[] }[]
}

export interface SandboxShop {
  shopId: number
  userId: number
  shopName: string
  currency: string
  /** Where it is, as ISO 3166-1 alpha-2. */
  country: string
  /** Language of its listings, in Etsy's form. */
  language: string
  /** One line about the shop, for the sandbox's own pages. */
  about: string
  /** Its listings stay active, and nobody can buy them. */
  isOnVacation?: boolean
}

/** Returns the units on sale, summed over enabled products. */
export function unitsLeft(listing: SandboxListing): number {
  return listing.products.reduce((sum, { quantity, isEnabled }) => sum + (isEnabled ? quantity : 0), 0)
}

/** Returns a listing with defaults, so that a test states only the fields it needs. */
export function plainListing(overrides: Partial<SandboxListing> & { listingId: number }): SandboxListing {
  const created = overrides.originalCreated ?? Date.UTC(2025, 2, 1, 9) / 1000
  const title = overrides.title ?? `Listing ${overrides.listingId}`
  return {
    title,
    description: noteOf(overrides.listingId),
    state: 'active',
    currency: 'USD',
    divisor: 100,
    products: [plainProduct({})],
    pictures: 1,
    pictured: { id: String(overrides.listingId), title },
    whoMade: 'someone_else',
    whenMade: '1970s',
    isSupply: false,
    taxonomyId: 66,
    tags: ['vintage'],
    originalCreated: created,
    created,
    updated: created,
    failures: 0,
    ...overrides,
  }
}

/** Returns a product with defaults: one unit for 20, no SKU. */
export function plainProduct(overrides: Partial<SandboxProduct>): SandboxProduct {
  return { sku: '', amount: 2_000, quantity: 1, isEnabled: true, properties: [], ...overrides }
}
