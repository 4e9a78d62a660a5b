import { describe, expect, it } from 'vitest'
import { weighCategories } from './title-kind.ts'

const menCoats = "Clothing, Shoes & Accessories > Men > Men's Clothing > Coats, Jackets & Vests"
const womenCoats = "Clothing, Shoes & Accessories > Women > Women's Clothing > Coats, Jackets & Vests"
const menShirts = "Clothing > Men's Clothing > Shirts"
const womenTops = "Clothing > Women's Clothing > Tops"
const womenDresses = "Clothing > Women's Clothing > Dresses"
const menJeans = "Clothing > Men's Clothing > Jeans"
const womenJeans = "Clothing > Women's Clothing > Jeans"
const menSweaters = "Clothing > Men's Clothing > Sweaters"
const womenSweaters = "Clothing > Women's Clothing > Sweaters"
const boys = "Clothing > Kids > Boys > Boys' Clothing > Outerwear"
const girls = "Clothing > Kids > Girls > Girls' Clothing > Dresses"
const baby = 'Clothing > Baby & Toddler Clothing > One-Pieces'
const menBoots = "Shoes > Men's Shoes > Boots"
const womenBoots = "Shoes > Women's Shoes > Boots"
const womenHeels = "Shoes > Women's Shoes > Heels"
const menSneakers = "Shoes > Men's Shoes > Athletic Shoes"
const bags = "Clothing, Shoes & Accessories > Women > Women's Bags & Handbags"
const menBags = "Clothing, Shoes & Accessories > Men > Men's Accessories > Bags"
const cameraBags = 'Cameras & Photo > Camera Accessories > Cases, Bags & Covers'
const cameras = 'Cameras & Photo > Film Photography > Film Cameras'
const lenses = 'Cameras & Photo > Lenses & Filters > Lenses'
const books = 'Books & Magazines > Books'
const magazines = 'Books & Magazines > Magazines'
const scarves = "Clothing > Women's Accessories > Scarves & Wraps"
const belts = "Clothing > Men's Accessories > Belts"
const watches = 'Jewelry & Watches > Watches > Wristwatches'
const lamps = 'Home & Garden > Lamps, Lighting & Ceiling Fans > Lamps'
const other = 'Collectibles > Other'

describe('weighing suggestions by the title', () => {
  it.each<[title: string, suggestions: string[], decided: string | 'asked']>([
    // Men, women and children.
    ['Pendleton wool barn coat, rust, men’s L', [womenCoats], 'asked'],
    ['Pendleton wool barn coat, rust, men’s L', [womenCoats, menCoats], menCoats],
    ['Pendleton wool barn coat, rust, L', [womenCoats, menCoats], womenCoats],
    ['Mens Wool Overcoat Camel 42R', [womenCoats, menCoats], menCoats],
    ["Women's Wool Overcoat Camel 8", [menCoats, womenCoats], womenCoats],
    ['Ladies quilted jacket, navy', [menCoats], 'asked'],
    ['Gents flannel shirt, red check', [womenTops, menShirts], menShirts],
    ['Boys puffer jacket age 8', [menCoats, boys], boys],
    ['Boys puffer jacket age 8', [menCoats, womenCoats], 'asked'],
    ['Girls’ smocked dress, size 6', [womenDresses, girls], girls],
    ['Girls winter coat, pink', [boys], 'asked'],
    ['Kids denim jacket 4T', [womenCoats, boys], boys],
    ['Toddler romper with bears, 2T', [baby, womenDresses], baby],
    ['Infant knit cardigan, cream', [womenSweaters], 'asked'],
    ['Unisex lambswool sweater, grey', [womenSweaters, menSweaters], womenSweaters],
    ['Unisex parka, olive', [boys], 'asked'],
    ['Mens and womens jeans 501', [womenJeans], womenJeans],
    ['Baby blue cashmere sweater, women’s M', [womenSweaters], womenSweaters],
    ['Babydoll dress, floral, ladies S', [womenDresses], womenDresses],
    ['Boyfriend jeans, women’s 28', [menJeans, womenJeans], womenJeans],
    // Kinds of clothing.
    ['Levi’s Denim Jacket, men, M', ["Men's > Jackets & Coats > Trench Coats"], 'asked'],
    ['Levi’s Denim Jacket, men, M', ["Men's > Jackets & Coats > Vests", "Men's > Jeans", menCoats], menCoats],
    [
      'Levi’s jean jacket, L',
      ['Women > Jeans', 'Women > Jackets & Coats > Jean Jackets'],
      'Women > Jackets & Coats > Jean Jackets',
    ],
    ['Burberrys trench coat, khaki, women', ['Women > Coats > Trench Coats'], 'Women > Coats > Trench Coats'],
    ['Burberrys trench coat, khaki, women', [womenCoats], womenCoats],
    ['Wool coat, green', ['Women > Coats > Trench Coats', 'Women > Coats > Coats'], 'Women > Coats > Coats'],
    ['Down vest, women, S', ['Women > Jackets', 'Women > Vests'], 'Women > Vests'],
    ['Sweater vest, argyle, men', [menSweaters, "Men's Clothing > Vests"], "Men's Clothing > Vests"],
    ['White dress shirt 15½, men', [womenDresses, menShirts], menShirts],
    ['Shirt dress, linen, belted', [menShirts, womenDresses], womenDresses],
    ['Silk blouse, ivory', [womenTops], womenTops],
    ['Silk blouse, ivory', [scarves], 'asked'],
    ['Pleated midi skirt, plaid', [womenDresses], 'asked'],
    [
      'Tie dye t-shirt, Grateful Dead',
      ["Men's Accessories > Ties", "Men's Clothing > T-Shirts"],
      "Men's Clothing > T-Shirts",
    ],
    ['Boot cut jeans, Wrangler, men', [menBoots, menJeans], menJeans],
    ['Corduroy trousers, brown, 32', ["Men's Clothing > Pants"], "Men's Clothing > Pants"],
    ['Cable knit cardigan, Aran', [womenSweaters], womenSweaters],
    ['Leather jacket with belt, black', [belts, womenCoats], womenCoats],
    ['Leather belt for jeans, 34', [menJeans, belts], belts],
    ['Silk scarf, Liberty print', [scarves], scarves],
    ['Two piece suit, pinstripe, 40R, men', [menShirts], 'asked'],
    // Shoes.
    ['Chelsea boots, men’s 10', [womenBoots, menBoots], menBoots],
    ['Chelsea boots, men’s 10', [womenBoots], 'asked'],
    ['Ankle boots, tan', [womenHeels, womenBoots], womenBoots],
    ['Nike running shoes, men', [menBoots, menSneakers], menSneakers],
    [
      'Dress shoes, oxblood, men’s 9',
      [womenDresses, "Shoes > Men's Shoes > Dress Shoes"],
      "Shoes > Men's Shoes > Dress Shoes",
    ],
    ['Suede loafers, size 8', ["Clothing > Women's Clothing > Tops"], 'asked'],
    ['Hiking boot socks, wool', [menBoots, "Men's Clothing > Socks"], "Men's Clothing > Socks"],
    // Bags.
    ['Coach leather handbag, tan', [bags], bags],
    ['Coach messenger bag, men’s', [bags, menBags], menBags],
    ['Camera bag, Billingham, canvas', [cameras, cameraBags], cameraBags],
    ['Canvas tote bag, The New Yorker', [magazines, bags], bags],
    ['Canvas tote bag', [other, bags], bags],
    ['Canvas tote bag', [other], 'asked'],
    ['Evening clutch, beaded', [womenDresses], 'asked'],
    // Cameras.
    ['Nikon F3 35mm film camera', [cameras], cameras],
    ['Canon AE-1 camera with 50mm lens and bag', [lenses, bags, cameras], cameras],
    ['Leica rangefinder M3, chrome', [other], 'asked'],
    ['Nikkor 50mm f/1.4 lens for Nikon camera', [cameras, lenses], lenses],
    ['Pentax K1000 camera', [books], 'asked'],
    // Books and others.
    ['The Hobbit, first edition hardcover', [books], books],
    ['Little Women, Alcott, hardcover book', [womenDresses, books], books],
    ['Paperback novel, The Woman in White', [magazines], 'asked'],
    ['Life magazine, July 1969', [books, magazines], magazines],
    ['Omega wristwatch, 1968', [watches], watches],
    ['Brass table lamp', [lamps], lamps],
    ['Brass table lamp', [menShirts], 'asked'],
    ['Rolleiflex 2.8F', [cameras], cameras],
    ['Sammlung alter Briefmarken', [other], other],
  ])('%s among %j: %s', (title, suggestions, decided) => {
    const [first] = weighCategories(
      { title },
      suggestions.map((name) => ({ name })),
    )
    expect(first?.fits ? first.name : 'asked').toBe(decided)
  })

  it('keeps the order of the marketplace among equals', () => {
    const names = [lamps, other, books]
    const weighed = weighCategories(
      { title: 'Old thing' },
      names.map((name) => ({ name })),
    )
    expect(weighed.map(({ name }) => name)).toEqual(names)
  })

  it('takes the item’s own category where the title says nothing', () => {
    const category = 'Men > Jackets & Coats'
    const fits = (title: string) => weighCategories({ title, category }, [{ name: womenCoats }])[0]!.fits
    expect([fits('Pendleton, rust'), fits('Pendleton, rust, women')]).toEqual([false, true])
  })
})
