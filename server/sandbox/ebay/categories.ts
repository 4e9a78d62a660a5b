/** A leaf of the sandbox's category tree, with the aspects that a listing in it must have. */
export interface SandboxCategory {
  id: string
  path: string[]
  /** Words in titles that suggest this category. */
  words: string[]
  aspects: {
    name: string
    required: boolean
    /** Buyers can filter by it, so eBay recommends it. */
    recommended?: boolean
    mode: 'FREE_TEXT' | 'SELECTION_ONLY'
    values: string[]
    /** Form of the values; text where it is absent. */
    data?: { type: 'NUMBER' | 'DATE'; format: string }
    /** Most characters of a value; 65 where it is absent. */
    maxLength?: number
    /** A listing can have several values. */
    many?: boolean
  }[]
  /** Conditions that the category allows. */
  conditions: SandboxCondition[]
  /** Product identifiers that listings must have, even where no aspect asks for them. */
  identifiers?: ('isbn' | 'ean' | 'upc' | 'mpn')[]
}

interface SandboxCondition {
  id: number
  name: string
  descriptors?: SandboxDescriptor[]
}

export interface SandboxDescriptor {
  id: string
  name: string
  isRequired: boolean
  isFree: boolean
  values: { id: string; name: string }[]
}

const plain: SandboxCondition[] = [
  { id: 1000, name: 'New' },
  { id: 3000, name: 'Used' },
  { id: 7000, name: 'For parts or not working' },
]
const collectible: SandboxCondition[] = [...plain, { id: 4000, name: 'Very Good' }, { id: 5000, name: 'Good' }]
const worn: SandboxCondition[] = [
  { id: 1000, name: 'New with tags' },
  { id: 1500, name: 'New without tags' },
  { id: 1750, name: 'New with imperfections' },
  { id: 2990, name: 'Pre-owned - Excellent' },
  { id: 3000, name: 'Pre-owned - Good' },
  { id: 3010, name: 'Pre-owned - Fair' },
]
const read: SandboxCondition[] = [
  { id: 1000, name: 'Brand New' },
  { id: 2750, name: 'Like New' },
  { id: 4000, name: 'Very Good' },
  { id: 5000, name: 'Good' },
  { id: 6000, name: 'Acceptable' },
]
const graded: SandboxCondition[] = [
  {
    id: 2750,
    name: 'Graded',
    descriptors: [
      {
        id: '27501',
        name: 'Professional Grader',
        isRequired: true,
        isFree: false,
        values: [
          { id: '275010', name: 'Professional Sports Authenticator (PSA)' },
          { id: '275011', name: 'Beckett Collectors Club Grading (BCCG)' },
        ],
      },
      {
        id: '27502',
        name: 'Grade',
        isRequired: true,
        isFree: false,
        values: [
          { id: '275020', name: '10' },
          { id: '275021', name: '9.5' },
        ],
      },
      { id: '27503', name: 'Certification Number', isRequired: false, isFree: true, values: [] },
    ],
  },
  {
    id: 4000,
    name: 'Ungraded',
    descriptors: [
      {
        id: '40001',
        name: 'Card Condition',
        isRequired: true,
        isFree: false,
        values: [
          { id: '400010', name: 'Near mint or better' },
          { id: '400015', name: 'Lightly played (Excellent)' },
        ],
      },
    ],
  },
]

const brands = ['Levi’s', 'Pendleton', 'Laura Ashley', 'Lee', 'Ralph Lauren', 'Burberrys', 'Unbranded']
const colors = ['Navy', 'Cream', 'Rust', 'Forest Green', 'Burgundy', 'Black', 'Camel', 'Multicolor']
const sizes = ['XS', 'S', 'M', 'L', 'XL', '8', '10', '12', '14', 'One Size']
const materials = ['Cotton', 'Denim', 'Leather', 'Silk', 'Wool']
const clothes: SandboxCategory['aspects'] = [
  { name: 'Brand', required: true, mode: 'FREE_TEXT', values: brands },
  { name: 'Size', required: true, mode: 'FREE_TEXT', values: sizes },
  { name: 'Color', required: true, mode: 'FREE_TEXT', values: colors, many: true },
  { name: 'Material', required: false, recommended: true, mode: 'FREE_TEXT', values: materials, many: true },
  { name: 'Decade', required: false, mode: 'FREE_TEXT', values: ['1950s', '1960s', '1970s', '1980s', '1990s'] },
]
const camera: SandboxCategory['aspects'] = [
  {
    name: 'Brand',
    required: true,
    mode: 'FREE_TEXT',
    values: ['Canon', 'Nikon', 'Olympus', 'Pentax', 'Minolta', 'Leica'],
  },
  { name: 'Color', required: false, mode: 'FREE_TEXT', values: ['Silver', 'Black'] },
]

const clothing = (id: number, group: string, leaf: string, words: string): SandboxCategory => ({
  id: String(id),
  path: ['Clothing, Shoes & Accessories', group, leaf],
  words: words.split(' '),
  aspects: clothes,
  conditions: worn,
})

const text = (name: string, values: string[] = []) => ({ name, required: true, mode: 'FREE_TEXT' as const, values })
const closed = (name: string, values: string[]) => ({ name, required: true, mode: 'SELECTION_ONLY' as const, values })
const departments = ['Men', 'Women', 'Unisex Adults', 'Unisex Kids']

const leaf = (
  id: number,
  path: string,
  words: string,
  aspects: SandboxCategory['aspects'],
  rest: Partial<Pick<SandboxCategory, 'conditions' | 'identifiers'>> = {},
): SandboxCategory => ({
  id: String(id),
  path: path.split(' > '),
  words: words.split(' '),
  aspects,
  conditions: rest.conditions ?? collectible,
  ...(rest.identifiers ? { identifiers: rest.identifiers } : {}),
})

/** Leaves with the aspects that eBay requires, for listings that the generated shops do not have. */
const others: SandboxCategory[] = [
  leaf(
    15709,
    "Clothing, Shoes & Accessories > Men's Shoes > Athletic Shoes",
    'sneakers trainers',
    [
      closed('Department', ['Men', 'Unisex Adults']),
      text('Brand', ['Nike', 'Adidas']),
      text('US Shoe Size', ['9', '10', '10.5']),
      text('Style', ['Sneaker']),
    ],
    { conditions: worn },
  ),
  leaf(
    169291,
    "Clothing, Shoes & Accessories > Women's Bags & Handbags",
    'handbag purse tote bag',
    [
      text('Brand', ['Coach', 'Gucci']),
      closed('Style', ['Shoulder Bag', 'Tote', 'Clutch']),
      text('Exterior Color', ['Black', 'Brown']),
    ],
    { conditions: worn },
  ),
  leaf(
    31387,
    'Jewelry & Watches > Watches > Wristwatches',
    'wristwatch chronograph',
    [
      text('Brand', ['Seiko', 'Omega']),
      closed('Department', departments),
      closed('Type', ['Wristwatch', 'Pocket Watch']),
    ],
    { conditions: plain },
  ),
  leaf(
    261993,
    'Jewelry & Watches > Fine Jewelry > Necklaces & Pendants',
    'necklace pendant',
    [closed('Type', ['Necklace', 'Pendant']), text('Base Metal', ['Gold', 'Silver'])],
    { conditions: plain },
  ),
  leaf(
    261990,
    'Jewelry & Watches > Fine Jewelry > Earrings',
    'earrings studs',
    [closed('Style', ['Stud', 'Hoop', 'Drop/Dangle'])],
    { conditions: plain },
  ),
  leaf(
    176985,
    'Music > Vinyl Records',
    'vinyl lp',
    [{ ...text('Artist'), maxLength: 40 }, text('Release Title'), closed('Speed', ['33 RPM', '45 RPM', '78 RPM'])],
    { identifiers: ['upc'] },
  ),
  leaf(
    139973,
    'Video Games & Consoles > Video Games',
    'cartridge nintendo',
    [closed('Platform', ['Nintendo NES', 'Nintendo 64', 'Sega Genesis']), text('Game Name')],
    { conditions: read, identifiers: ['upc'] },
  ),
  leaf(
    617,
    'Movies & TV > DVDs & Blu-ray Discs',
    'dvd bluray',
    [text('Movie/TV Title'), closed('Format', ['DVD', 'Blu-ray'])],
    { conditions: read, identifiers: ['upc'] },
  ),
  leaf(280, 'Books & Magazines > Magazines', 'magazine issue', [text('Publication Name'), text('Issue Number')], {
    conditions: read,
  }),
  leaf(259104, 'Collectibles > Comic Books & Memorabilia > Comics', 'comic comics', [
    text('Series Title'),
    text('Issue Number'),
  ]),
  leaf(
    253,
    'Coins & Paper Money > Coins: US > Small Cents',
    'coin penny cent',
    [
      closed('Circulated/Uncirculated', ['Circulated', 'Uncirculated']),
      { ...text('Year'), data: { type: 'DATE', format: 'YYYY' } },
      closed('Certification', ['Uncertified', 'PCGS', 'NGC']),
    ],
    {
      conditions: [
        {
          id: 3000,
          name: 'Ungraded',
          descriptors: [
            {
              id: '45001',
              name: 'Coin Condition',
              isRequired: true,
              isFree: false,
              values: [
                { id: '450010', name: 'Circulated' },
                { id: '450011', name: 'Uncirculated' },
              ],
            },
          ],
        },
      ],
    },
  ),
  leaf(
    261328,
    'Sports Mem, Cards & Fan Shop > Sports Trading Cards > Trading Card Singles',
    'rookie topps',
    [closed('Sport', ['Baseball', 'Basketball', 'Football'])],
    { conditions: graded },
  ),
  leaf(260, 'Stamps > United States', 'stamp stamps', [closed('Certification', ['Uncertified', 'Certified'])]),
  leaf(41511, 'Art > Art Posters', 'poster lithograph', [text('Type', ['Poster', 'Print'])]),
  leaf(50648, 'Pottery & Glass > Decorative Cookware > Teapots', 'teapot stoneware', [
    text('Brand', ['Wedgwood', 'Unbranded']),
  ]),
  leaf(20625, 'Antiques > Textiles > Quilts', 'quilt patchwork', [text('Pattern', ['Log Cabin', 'Star'])]),
  leaf(
    112581,
    'Home & Garden > Lamps, Lighting & Ceiling Fans > Lamps',
    'lamp lantern',
    [text('Type', ['Table Lamp', 'Floor Lamp'])],
    { conditions: plain, identifiers: ['mpn'] },
  ),
  leaf(37908, 'Collectibles > Pens & Writing > Typewriters', 'typewriter', [text('Brand', ['Olivetti', 'Hermes'])]),
  leaf(
    33034,
    'Musical Instruments & Gear > Guitars > Electric Guitars',
    'guitar stratocaster',
    [text('Brand', ['Fender', 'Gibson']), text('Model'), closed('Handedness', ['Left-Handed', 'Right-Handed'])],
    { conditions: plain },
  ),
  leaf(
    19006,
    'Toys & Hobbies > Building Toys > LEGO Complete Sets & Packs',
    'lego minifigure',
    [
      closed('Brand', ['LEGO']),
      { ...text('Number of Pieces'), required: false, data: { type: 'NUMBER', format: 'int32' } },
    ],
    { conditions: plain, identifiers: ['ean'] },
  ),
]

/** All leaves. The last one takes items that fit nowhere else. */
export const categories: SandboxCategory[] = [
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
    conditions: plain,
  },
  {
    id: '261186',
    path: ['Books & Magazines', 'Books'],
    words: 'book hardcover press edition novel'.split(' '),
    aspects: [
      { name: 'Author', required: true, mode: 'FREE_TEXT', values: [] },
      { name: 'Book Title', required: true, mode: 'FREE_TEXT', values: [] },
      { name: 'Language', required: true, mode: 'FREE_TEXT', values: ['English', 'French', 'German'] },
      { name: 'ISBN', required: false, mode: 'FREE_TEXT', values: [] },
      {
        ...{ name: 'Publication Year', required: false, mode: 'FREE_TEXT', values: [] },
        data: { type: 'DATE', format: 'YYYY' },
      },
    ],
    conditions: read,
    identifiers: ['isbn'],
  },
  {
    id: '183454',
    path: ['Toys & Hobbies', 'Collectible Card Games', 'CCG Individual Cards'],
    words: 'pokemon holo trading'.split(' '),
    aspects: [{ name: 'Game', required: true, mode: 'FREE_TEXT', values: ['Pokémon TCG', 'Magic: The Gathering'] }],
    conditions: graded,
  },
  {
    id: '9355',
    path: ['Cell Phones & Accessories', 'Cell Phones & Smartphones'],
    words: 'phone smartphone'.split(' '),
    aspects: [{ name: 'Brand', required: true, mode: 'FREE_TEXT', values: ['Nokia', 'Motorola'] }],
    conditions: plain,
    identifiers: ['ean'],
  },
  ...others,
  { id: '1', path: ['Collectibles', 'Other'], words: [], aspects: [], conditions: collectible },
]
