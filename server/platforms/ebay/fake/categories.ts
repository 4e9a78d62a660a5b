/** A leaf of the sandbox's category tree, with the aspects that a listing in it must have. */
export interface FakeCategory {
  id: string
  path: string[]
  /** Words of titles that lead here. */
  words: string[]
  aspects: { name: string; required: boolean; mode: 'FREE_TEXT' | 'SELECTION_ONLY'; values: string[] }[]
}

const brands = ['Levi’s', 'Pendleton', 'Laura Ashley', 'Lee', 'Ralph Lauren', 'Burberrys', 'Unbranded']
const colors = ['Navy', 'Cream', 'Rust', 'Forest Green', 'Burgundy', 'Black', 'Camel', 'Multicolor']
const sizes = ['XS', 'S', 'M', 'L', 'XL', '8', '10', '12', '14', 'One Size']
const clothes: FakeCategory['aspects'] = [
  { name: 'Brand', required: true, mode: 'FREE_TEXT', values: brands },
  { name: 'Size', required: true, mode: 'FREE_TEXT', values: sizes },
  { name: 'Color', required: true, mode: 'FREE_TEXT', values: colors },
  { name: 'Decade', required: false, mode: 'FREE_TEXT', values: ['1950s', '1960s', '1970s', '1980s', '1990s'] },
]
const camera: FakeCategory['aspects'] = [
  {
    name: 'Brand',
    required: true,
    mode: 'FREE_TEXT',
    values: ['Canon', 'Nikon', 'Olympus', 'Pentax', 'Minolta', 'Leica'],
  },
  { name: 'Color', required: false, mode: 'FREE_TEXT', values: ['Silver', 'Black'] },
]

const clothing = (id: number, group: string, leaf: string, words: string): FakeCategory => ({
  id: String(id),
  path: ['Clothing, Shoes & Accessories', group, leaf],
  words: words.split(' '),
  aspects: clothes,
})

/** The leaves; the last one takes what fits nowhere. */
export const categories: FakeCategory[] = [
  clothing(57988, "Men's Clothing", 'Coats, Jackets & Vests', 'denim jacket leather'),
  clothing(53159, "Women's Clothing", 'Tops', 'blouse top'),
  clothing(63862, "Women's Clothing", 'Coats, Jackets & Vests', 'overcoat coat trench'),
  clothing(57989, "Men's Clothing", 'Pants', 'trousers pants corduroy'),
  clothing(63864, "Women's Clothing", 'Skirts', 'skirt pleated'),
  clothing(11484, "Men's Clothing", 'Sweaters', 'sweater knit cable'),
  clothing(2993, "Men's Accessories", 'Belts', 'belt'),
  clothing(63861, "Women's Clothing", 'Dresses', 'dress maxi tea'),
  clothing(57990, "Men's Clothing", 'Shirts', 'shirt flannel'),
  clothing(53557, "Women's Shoes", 'Boots', 'boots ankle'),
  clothing(45238, "Women's Accessories", 'Scarves & Wraps', 'scarf silk'),
  {
    id: '15230',
    path: ['Cameras & Photo', 'Film Photography', 'Film Cameras'],
    words: 'camera film rangefinder lens'.split(' '),
    aspects: camera,
  },
  {
    id: '261186',
    path: ['Books & Magazines', 'Books'],
    words: 'book hardcover press edition novel'.split(' '),
    aspects: [
      { name: 'Author', required: true, mode: 'FREE_TEXT', values: [] },
      { name: 'Book Title', required: true, mode: 'FREE_TEXT', values: [] },
      { name: 'Language', required: true, mode: 'FREE_TEXT', values: ['English', 'French', 'German'] },
    ],
  },
  { id: '1', path: ['Collectibles', 'Other'], words: [], aspects: [] },
]

/** The leaves that fit a title, the best first; at least one. */
export function suggestCategories(title: string): FakeCategory[] {
  const words = new Set(title.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  const hits = (category: FakeCategory) => category.words.filter((word) => words.has(word)).length
  const fitting = categories.filter((category) => hits(category) > 0).sort((a, b) => hits(b) - hits(a))
  return fitting.length > 0 ? fitting.slice(0, 5) : categories.slice(-1)
}

/** A leaf by its id. */
export const categoryOf = (id: string): FakeCategory | undefined => categories.find((category) => category.id === id)
