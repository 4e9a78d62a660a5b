import { imagesOf, type SandboxListing, type SandboxShop, unitsLeft } from './listing.ts'

/** Escapes text for HTML, as Etsy sends it. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}

export interface ListingView {
  shop: SandboxShop
  /** The sandbox's own address. */
  baseUrl: string
  includes: string[]
  /** True for the shop's own token; others see no SKUs. */
  isOwner: boolean
}

/** Settings that every shop of the sandbox has. */
export const usual = {
  shippingProfile: 314_944_410_819,
  /** Shipping that is calculated from weight and size. */
  calculatedProfile: 314_944_410_820,
  returnPolicy: 1_513_785_862_328,
  readinessState: 1_513_785_863_458,
}

/** Returns the settings of a shop. Shops whose names begin with certain words have other settings than usual. */
export function settingsOf({ shopName }: Pick<SandboxShop, 'shopName'>) {
  const has = (words: string) => shopName.startsWith(words)
  const states = has('ManyProfiles') ? 130 : has('NoProfiles') ? 0 : 1
  return {
    isCalculated: has('Calculated'),
    readinessStates: Array.from({ length: states }, (_, index) => usual.readinessState + index),
    partners: has('Partnered')
      ? [{ production_partner_id: 4_410_881, partner_name: 'Quay Print House', location: 'Portland, ME' }]
      : [],
  }
}

const fourMonths = 120 * 86_400

/** Returns a ShopListingWithAssociations. As measured, associations not in `includes` are null. */
export function listingAnswer(listing: SandboxListing, view: ListingView): Record<string, unknown> {
  const { shop, baseUrl, includes, isOwner } = view
  const prices = listing.products.filter(({ isEnabled }) => isEnabled).map(({ amount }) => amount)
  const skus = [...new Set(listing.products.map(({ sku }) => sku).filter((sku) => sku !== ''))]
  return {
    listing_id: listing.listingId,
    user_id: shop.userId,
    shop_id: shop.shopId,
    title: escapeHtml(listing.title),
    description: escapeHtml(listing.description),
    state: listing.state,
    creation_timestamp: listing.created,
    created_timestamp: listing.created,
    ending_timestamp: listing.created + fourMonths,
    original_creation_timestamp: listing.originalCreated,
    last_modified_timestamp: listing.updated,
    updated_timestamp: listing.updated,
    state_timestamp: listing.updated,
    quantity: unitsLeft(listing),
    shop_section_id: null,
    featured_rank: -1,
    url: `${baseUrl}/listing/${listing.listingId}/${slugOf(listing.title)}`,
    num_favorers: listing.listingId % 17,
    non_taxable: false,
    is_taxable: true,
    is_customizable: false,
    is_personalizable: false,
    listing_type: listing.type ?? 'physical',
    tags: listing.tags.map(escapeHtml),
    materials: (listing.materials ?? []).map(escapeHtml),
    shipping_profile_id: listing.shippingProfileId ?? usual.shippingProfile,
    return_policy_id: listing.returnPolicyId ?? usual.returnPolicy,
    processing_min: 1,
    processing_max: 3,
    who_made: listing.whoMade,
    when_made: listing.whenMade,
    is_supply: listing.isSupply,
    item_weight: null,
    item_weight_unit: null,
    item_length: null,
    item_width: null,
    item_height: null,
    item_dimensions_unit: null,
    ...listing.measures,
    is_private: false,
    style: [],
    file_data: '',
    has_variations: listing.products.length > 1,
    should_auto_renew: true,
    language: shop.language,
    price: money(listing, prices.length > 0 ? Math.min(...prices) : 0),
    taxonomy_id: listing.taxonomyId,
    readiness_state_id: listing.readinessStateId ?? null,
    skus: isOwner ? skus : [],
    views: listing.state === 'active' ? listing.listingId % 900 : 0,
    production_partners: [],
    shipping_profile: null,
    user: null,
    shop: includes.includes('Shop') ? shopAnswer(shop, baseUrl, 0) : null,
    images: includes.includes('Images') ? imagesAnswer(listing, baseUrl) : null,
    videos: null,
    inventory: null,
    translations: null,
  }
}

/** Returns the listing's images with the last one first: Etsy promises no order, only `rank`. */
export function imagesAnswer(listing: SandboxListing, baseUrl: string): Record<string, unknown>[] {
  const images = imagesOf(listing).map((image, index) => {
    const rank = index + 1
    const file = 'drawn' in image ? image.drawn : image.id
    const url = (size: string) => `${baseUrl}/image/${listing.listingId}/il_${size}.${file}.png`
    return {
      listing_id: listing.listingId,
      listing_image_id: image.id,
      hex_code: '3A5A78',
      red: 58,
      green: 90,
      blue: 120,
      hue: 209,
      saturation: 51,
      brightness: 47,
      is_black_and_white: false,
      creation_tsz: listing.originalCreated,
      created_timestamp: listing.originalCreated,
      rank,
      url_75x75: url('75x75'),
      url_170x135: url('170x135'),
      url_570xN: url('570xN'),
      url_fullxfull: url('fullxfull'),
      full_height: 512,
      full_width: 512,
      alt_text: '',
    }
  })
  const last = images.pop()
  return last ? [last, ...images] : []
}

/** Returns a ListingInventory. */
export function inventoryAnswer(listing: SandboxListing, isOwner: boolean): Record<string, unknown> {
  const base = (listing.listingId % 1_000_000_000) * 10
  const varies = (differs: boolean) =>
    differs && listing.products.length > 1 ? (listing.products[0]?.properties ?? []).map(({ id }) => id) : []
  const distinct = (values: unknown[]) => new Set(values).size > 1
  return {
    products: listing.products.map((product, index) => ({
      product_id: base + index + 1,
      sku: isOwner ? escapeHtml(product.sku) : '',
      is_deleted: false,
      offerings: [
        {
          offering_id: base + index + 1,
          quantity: product.quantity,
          is_enabled: product.isEnabled,
          is_deleted: false,
          price: money(listing, product.amount),
          readiness_state_id: listing.readinessStateId ?? null,
        },
      ],
      property_values: product.properties.map(({ id, name, values }) => ({
        property_id: id,
        property_name: escapeHtml(name),
        scale_id: null,
        scale_name: null,
        value_ids: values.map((_, place) => id * 100 + place + 1),
        values: values.map(escapeHtml),
      })),
    })),
    price_on_property: varies(distinct(listing.products.map(({ amount }) => amount))),
    quantity_on_property: varies(true),
    sku_on_property: varies(distinct(listing.products.map(({ sku }) => sku))),
    readiness_state_on_property: [],
  }
}

/** Returns a Shop. */
export function shopAnswer(shop: SandboxShop, baseUrl: string, activeCount: number): Record<string, unknown> {
  return {
    shop_id: shop.shopId,
    user_id: shop.userId,
    shop_name: shop.shopName,
    create_date: 1_500_000_000,
    created_timestamp: 1_500_000_000,
    title: escapeHtml(shop.about),
    announcement: null,
    currency_code: shop.currency,
    is_vacation: shop.isOnVacation === true,
    vacation_message: shop.isOnVacation ? 'Back in two weeks.' : null,
    sale_message: null,
    digital_sale_message: null,
    update_date: 1_700_000_000,
    updated_timestamp: 1_700_000_000,
    listing_active_count: activeCount,
    digital_listing_count: 0,
    login_name: shop.shopName.toLowerCase(),
    accepts_custom_requests: false,
    url: `${baseUrl}/shop/${shop.shopName}?utm_source=sandbox&utm_medium=api&utm_campaign=api`,
    num_favorers: 12,
    languages: [shop.language],
    transaction_sold_count: 40,
    shop_location_country_iso: shop.country,
    review_count: 9,
    review_average: 4.9,
  }
}

function money(listing: SandboxListing, amount: number) {
  return { amount, divisor: listing.divisor, currency_code: listing.currency }
}

function slugOf(title: string): string {
  const words = title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return words.replace(/^-|-$/g, '').slice(0, 60) || 'listing'
}
