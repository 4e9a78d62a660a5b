import { detailOf } from './details.ts'

/** A post in Poshmark's shape (real captures of 2020 and 2025) with invented values. */
export type Post = Record<string, unknown> & { id: string; title: string }

/** The data behind a closet's page and JSON. */
export interface Closet {
  username: string
  uid: string
  posts: Post[]
}

const nouns = [
  'wool coat',
  'linen shirt',
  'silk scarf',
  'leather boots',
  'denim jacket',
  'knit cardigan',
  'canvas tote',
  'suede belt',
]
const colors = [
  ['Green', '#2f6f4f'],
  ['Blue', '#2b4f8f'],
  ['Red', '#a3352b'],
  ['Cream', '#d9cba3'],
  ['Gray', '#6e737b'],
] as const
const brands = ['Hollow & Reed', 'Marlowe', '', 'Fennick', 'Aster Row']
const sizes = ['S', 'M', 'L', 'OS', '38']

/** Returns 24 hex digits: the creation time in seconds, then a number. */
function postId(seed: number, n: number): string {
  return (1_700_000_000 + n * 61).toString(16).padStart(8, '0') + (seed * 1_000_003 + n).toString(16).padStart(16, '0')
}

/** Returns the n-th post of a closet (n from 0), always the same. */
export function buildPost(
  owner: { username: string; uid: string },
  seed: number,
  n: number,
  changes: object = {},
): Post {
  const id = postId(seed, n)
  const [color, rgb] = colors[n % colors.length]!
  const noun = nouns[n % nouns.length]!
  const price = 12 + ((n * 7) % 90)
  const size = sizes[n % sizes.length]!
  const created = new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString().replace('.000Z', '-07:00')
  return {
    id,
    creator_id: owner.uid,
    status: 'published',
    origin_domain: 'us',
    title: `${color} ${noun}, ${detailOf(n, nouns.length * colors.length)}`,
    description: `A ${noun} in ${color.toLowerCase()}, ${detailOf(n, nouns.length * colors.length)}.\nKept folded, smoke-free home.`,
    price_amount: { val: `${price}.0`, currency_code: 'USD', currency_symbol: '$' },
    original_price_amount: { val: `${price * 2}.0`, currency_code: 'USD', currency_symbol: '$' },
    price,
    original_price: price * 2,
    size,
    size_obj: { id: size, display: size === 'OS' ? 'One Size' : size, display_with_size_set: size },
    brand: brands[n % brands.length]!,
    condition: n % 3 === 0 ? 'nwt' : null,
    colors: [{ name: color, rgb }],
    inventory: {
      status: 'available',
      size_quantities: [{ size_id: size, quantity_available: 1, quantity_reserved: 0, quantity_sold: 0 }],
      multi_item: false,
    },
    catalog: {
      department_obj: { id: 'd1', display: 'Women', slug: 'Women' },
      category_obj: { id: 'c1', display: 'Jackets & Coats', slug: 'Jackets_&_Coats' },
      category_feature_objs: [{ id: 'f1', display: 'Vests', slug: 'Vests' }],
    },
    cover_shot: picture(id, 0),
    pictures: Array.from({ length: n % 4 }, (_, index) => picture(id, index + 1)),
    created_at: created,
    first_published_at: created,
    creator_username: owner.username,
    creator_full_name: 'Made Up',
    comments: [],
    likes: [],
    ...changes,
  }
}

/** Returns a closet of `count` posts. Every seventh has a SKU, which only its owner sees. */
export function buildCloset(username: string, count: number, seed: number): Closet {
  const owner = { username, uid: postId(seed, 999) }
  const posts = Array.from({ length: count }, (_, n) =>
    buildPost(owner, seed, n, n % 7 === 3 ? { seller_private_info: { sku: `SKU-${n + 1}` } } : {}),
  )
  return { ...owner, posts }
}

/** Marks a post as sold, in the site's own words. */
export function sell(post: Post): void {
  const { size_quantities } = post.inventory as { size_quantities: object[] }
  post.inventory = {
    ...(post.inventory as object),
    status: 'sold_out',
    status_changed_at: '2026-10-04T09:00:00-07:00',
    size_quantities: size_quantities.map((one) => ({ ...one, quantity_available: 0, quantity_sold: 1 })),
  }
}

/** Returns a post without the owner's private members, unless `own`. */
export function asSeenBy(post: Post, own: boolean): Post {
  if (own) return post
  const { seller_private_info: _, ...rest } = post
  return rest as Post
}

/** Host of Poshmark's pictures, which the site answers for, too. */
export const pictureHost = 'di2ponv0v5otw.cloudfront.net'

function picture(postId: string, index: number) {
  const name = `${postId.slice(0, 20)}${(index + 4096).toString(16)}.jpg`
  const base = `https://${pictureHost}/posts/2026/01/01/${postId}`
  return {
    id: name.slice(0, 24),
    picture: name,
    url: `${base}/m_${name}`,
    url_small: `${base}/s_${name}`,
    url_large: `${base}/l_${name}`,
    content_type: 'image/jpeg',
  }
}
