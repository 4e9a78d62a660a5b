/** A listing in the sandbox's world: the truth that its answers are made of. Texts are as the seller typed them. */
export interface SandboxListing {
  listingId: number
  title: string
  description: string
  state: 'active' | 'inactive' | 'sold_out' | 'draft' | 'expired'
  currency: string
  /** What Etsy divides amounts by: 100, seldom anything else. */
  divisor: number
  /** At least one; several for sizes or colours. */
  products: SandboxProduct[]
  pictures: number
  /** What is drawn on the pictures: the same thing elsewhere has the same. */
  pictured: { id: string; title: string }
  whoMade: 'i_did' | 'someone_else' | 'collective'
  whenMade: string
  isSupply: boolean
  taxonomyId: number
  tags: string[]
  /** Epoch seconds: first listed, last renewed, last changed. */
  originalCreated: number
  created: number
  updated: number
  /** Who ships it how, as the seller chose; left out: the shop's usual ones. */
  shippingProfileId?: number | null
  returnPolicyId?: number | null
  readinessStateId?: number | null
  /** Weight and size of the parcel, as Etsy's fields name them. */
  measures?: SandboxMeasures
  materials?: string[]
  /** Pictures that were uploaded, by rank; left out: the sandbox draws them. */
  uploads?: { sha256: string; type: string }[]
  /** So many more answers that should hold its pictures or products fail. */
  failures: number | 'always'
}

export interface SandboxMeasures {
  item_weight?: number
  item_weight_unit?: string
  item_length?: number
  item_width?: number
  item_height?: number
  item_dimensions_unit?: string
}

export interface SandboxProduct {
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
  /** One line about the shop, for the sandbox's own pages. */
  about: string
}

/** How many are on sale: of all enabled products together. */
export function unitsLeft(listing: SandboxListing): number {
  return listing.products.reduce((sum, { quantity, isEnabled }) => sum + (isEnabled ? quantity : 0), 0)
}

/** What a listing starts from; a test says only what matters to it. */
export function plainListing(overrides: Partial<SandboxListing> & { listingId: number }): SandboxListing {
  const created = overrides.originalCreated ?? Date.UTC(2025, 2, 1, 9) / 1000
  const title = overrides.title ?? `Listing ${overrides.listingId}`
  return {
    title,
    description: 'A thing that exists once.',
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

/** One unit for 20, without SKU. */
export function plainProduct(overrides: Partial<SandboxProduct>): SandboxProduct {
  return { sku: '', amount: 2_000, quantity: 1, isEnabled: true, properties: [], ...overrides }
}
