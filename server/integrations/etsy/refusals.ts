/** A refusal of Etsy with its remedy. */
interface EtsyRefusal {
  /** Our name of it. Etsy has no codes: it names a field, a kind of error, or neither. */
  code: string
  /** Found in the field that Etsy names. */
  field?: RegExp
  /** Found in Etsy's words. */
  words?: RegExp
  /** A sentence that says how the seller goes on. */
  help: string
}

const options = 'in the listing options'

/**
 * The refusals of Etsy that are known here, with what helps. The first one that matches counts. `docs/services.md` shows
 * this table.
 */
export const refusals: readonly EtsyRefusal[] = [
  {
    code: 'scope',
    words: /insufficient_scope|requires scope|insufficient scope/i,
    help: 'Connect the shop again and allow everything that Etsy asks, because a permission is missing.',
  },
  {
    code: 'api_key',
    words: /api[ _-]?key|x-api-key|invalid_client/i,
    help: 'The operator of this server has to check the keys of Etsy.',
  },
  {
    code: 'marketplace',
    field: /^marketplace/,
    words: /cannot sell this item on Etsy/i,
    help: `Etsy takes handmade, vintage (20 years and older) and craft supplies. Check who made the item and when, ${options}.`,
  },
  {
    code: 'attributes',
    field: /^attributes|^propert/,
    words: /required attributes/i,
    help: `Fill in what the category requires, ${options}, or choose another category.`,
  },
  {
    code: 'era',
    field: /^(when|who)_made|^is_supply/,
    words: /\b(when|who)_made\b/,
    help: `Choose who made the item and when, ${options}.`,
  },
  {
    code: 'title',
    field: /^title/,
    words: /\btitle\b/i,
    help: 'Change the title: at most 140 characters, no special signs, and each of % : & + once.',
  },
  { code: 'description', field: /^description/, help: 'Change the description of the item.' },
  { code: 'tags', field: /^tags/, words: /\btags\b/i, help: 'Etsy takes 13 tags of at most 20 characters.' },
  {
    code: 'materials',
    field: /^materials/,
    words: /\bmaterials\b/i,
    help: 'Change the material of the item to plain words, without special signs.',
  },
  {
    code: 'price',
    field: /price/,
    words: /\bprice\b/i,
    help: 'Give the item a price within Etsy’s limits for the currency of the shop.',
  },
  { code: 'quantity', field: /quantity/, words: /\bquantity\b/i, help: 'Etsy lists quantities from 1 to 999.' },
  {
    code: 'images',
    field: /^images?|^listing_image/,
    words: /\bimages?\b/i,
    help: 'Add a photo as JPEG, PNG or GIF.',
  },
  {
    code: 'shipping',
    field: /^shipping_profile|^item_(weight|length|width|height|dim)/,
    words: /shipping[ _]profile/i,
    help: `Choose another shipping profile, ${options}. With calculated postage the item needs its weight and size.`,
  },
  {
    code: 'returns',
    field: /^return_policy/,
    words: /return[ _]policy/i,
    help: `Choose another return policy, ${options}.`,
  },
  {
    code: 'processing',
    field: /readiness_state|^processing/,
    words: /readiness[ _]state|processing profile/i,
    help: `Choose another processing profile, ${options}, or make one on Etsy first.`,
  },
  { code: 'category', field: /^taxonomy/, words: /\btaxonomy/i, help: `Choose another category, ${options}.` },
  {
    code: 'sku',
    field: /(^|[ .])skus?$/,
    help: 'Change the SKU of the item: at most 32 characters, no special signs.',
  },
  {
    code: 'tracking',
    field: /^(tracking_code|carrier_name)/,
    words: /\b(tracking|carrier)(_| )?(code|name|number)?\b/i,
    help: 'Enter the tracking number and its carrier. Etsy wants both for orders above $10 within the United States, and to India.',
  },
  { code: 'state', field: /^state/, words: /\bstate\b/i, help: 'Open the listing on Etsy to see what state it is in.' },
  {
    code: 'variations',
    field: /^products|property_values|_on_property/,
    words: /array input|malformed/i,
    help: 'Change the variations of the listing on Etsy. Etsy takes no parentheses in them from Hapax.',
  },
]

/** Returns what is known of a refusal; undefined for an unknown one. */
export function findRefusal({ words, field }: { words: string; field: string | null }): EtsyRefusal | undefined {
  return refusals.find((row) => (field && row.field?.test(field)) || row.words?.test(words))
}
