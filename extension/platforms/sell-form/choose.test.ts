import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseCategory, chooseColour, chooseSame, chooseSize, isCategoryTied } from './choose.ts'
import { gradeOf, grades } from './condition-grade.ts'

const named = (labels: string[], choice: { index: number; sure: boolean } | null) =>
  choice && [labels[choice.index], choice.sure]

describe('chooseSame', () => {
  const labels = ['Levi’s', 'Hollow & Reed', 'Émile', 'Other']

  it.each([
    ["LEVI'S", 'Levi’s'],
    ['hollow and reed', 'Hollow & Reed'],
    ['Emile', 'Émile'],
  ])('chooses %s as %s', (wanted, label) => expect(named(labels, chooseSame(labels, wanted))).toEqual([label, true]))

  it.each(['Levi', 'Levis Strauss', '', '&', 'Reed'])('returns null for %j', (wanted) =>
    expect(chooseSame(labels, wanted)).toBeNull(),
  )

  it('returns null when two options have the same words', () => {
    expect(chooseSame(['Marlowe', 'MARLOWE'], 'Marlowe')).toBeNull()
  })
})

describe('chooseSize', () => {
  const letters = ['XS', 'S', 'M', 'L', 'XL', '2XL', 'One Size']
  const bracketed = ['XS (0-2)', 'S (4-6)', 'M (8-10)', 'L (12-14)']
  const numbers = ['6', '6.5', '7', '8', '10']
  const countries = ['US 6', 'US 8', 'UK 8', 'EU 38']

  it.each([
    [letters, 'm', 'M'],
    [letters, 'Medium', 'M'],
    [letters, 'Extra Large', 'XL'],
    [letters, 'XXL', '2XL'],
    [letters, 'OS', 'One Size'],
    [bracketed, 'M', 'M (8-10)'],
    [bracketed, 'small', 'S (4-6)'],
    [letters, 'M (8-10)', 'M'],
    [numbers, 'US 8', '8'],
    [numbers, 'Size 6.5', '6.5'],
    [countries, '8', 'US 8'],
    [countries, 'uk 8', 'UK 8'],
  ])('chooses from %j for %s: %s', (labels, wanted, label) =>
    expect(named(labels, chooseSize(labels, wanted))).toEqual([label, true]),
  )

  it.each([
    [numbers, 'UK 8'],
    [numbers, '65'],
    [letters, 'XXXL'],
    [letters, ''],
    [['M (8-10)', 'M (38-40)'], 'M'],
    [letters, 'M/L'],
  ])('chooses none of %j for %j', (labels, wanted) => expect(chooseSize(labels, wanted)).toBeNull())
})

describe('chooseColour', () => {
  const labels = ['Black', 'Gray', 'Blue', 'Navy', 'Green', 'Multi']
  it.each([
    ['grey', 'Gray', true],
    ['BLACK', 'Black', true],
    ['Multicolour', 'Multi', true],
    ['light blue', 'Blue', false],
    ['navy pinstripe', 'Navy', false],
  ])('%s is %s (sure: %s)', (wanted, label, sure) =>
    expect(named(labels, chooseColour(labels, wanted))).toEqual([label, sure]),
  )

  it.each([
    ['navy', 'Blue'],
    ['Burgundy', 'Red'],
    ['dark teal', 'Green'],
    ['khaki', 'Beige'],
  ])('falls back from the shade %s to %s', (wanted, label) =>
    expect(named(['Blue', 'Red', 'Green', 'Beige'], chooseColour(['Blue', 'Red', 'Green', 'Beige'], wanted))).toEqual([
      label,
      false,
    ]),
  )

  it.each(['beige', '', 'rust'])('returns null for %j', (wanted) => expect(chooseColour(labels, wanted)).toBeNull())
})

describe('chooseCategory', () => {
  const departments = ['Women', 'Men', 'Kids', 'Home', 'Electronics']
  const kinds = ['Dresses', 'Jackets & Coats', 'Jeans', 'Shoes', 'Sweaters', 'Tops', 'Pants & Jumpsuits', 'Bags']

  it.each([
    [departments, ['Womenswear', 'Outerwear', 'Jackets'], 'Women', true],
    [departments, ["Men's Clothing", 'Shirts'], 'Men', true],
    [departments, ['Kidswear'], 'Kids', true],
    [kinds, ['Women', 'Dresses', 'Midi'], 'Dresses', true],
    [kinds, ['Men', 'Jackets'], 'Jackets & Coats', false],
    [kinds, ['Women', 'Trousers'], 'Pants & Jumpsuits', false],
    [kinds, ['Women', 'Jumpers'], 'Sweaters', true],
    [kinds, ['Women', 'Handbags'], 'Bags', true],
    [kinds, ['Women', 'Totes'], 'Bags', false],
    [['Cardigans', 'Crewnecks'], ['Women', 'Cardigans'], 'Cardigans', true],
    [departments, ['Cameras & Photo', 'Film Cameras'], 'Electronics', false],
  ])('chooses from %j for %j: %s (sure: %s)', (labels, path, label, sure) =>
    expect(named(labels, chooseCategory(labels, path))).toEqual([label, sure]),
  )

  it.each([
    [['Trench coats', 'Denim jackets', 'Vests'], 'Denim jackets'],
    [['Bomber & Varsity', 'Denim', 'Trench Coats', 'Vests'], 'Denim'],
  ])('chooses from %j by the title where a part of the path is a list', (labels, label) =>
    expect(
      named(
        labels,
        chooseCategory(labels, ["Men's Clothing", 'Coats, Jackets & Vests'], "Vintage Levi's denim jacket, navy, M"),
      ),
    ).toEqual([label, false]),
  )

  it.each<[labels: string[], path: string[], title: string, label: string | null]>([
    // Denim and jean are one.
    [
      ['Blazers & Suit Jackets', 'Jean Jackets', 'Pea Coats', 'Trench Coats', 'Vests'],
      ["Men's Clothing", 'Coats, Jackets & Vests'],
      'Levi’s Denim Jacket, men',
      'Jean Jackets',
    ],
    [
      ['Bomber, varsity', 'Denim', 'Leather', 'Peacoats', 'Trench coats'],
      ["Men's Clothing", 'Coats, Jackets & Vests'],
      'Levi’s Denim Jacket, men',
      'Denim',
    ],
    [
      ['Bomber, varsity', 'Denim', 'Leather', 'Peacoats', 'Trench coats'],
      ['Men', 'Outerwear'],
      'Lee jean jacket, M',
      'Denim',
    ],
    [['Jeans', 'Jackets & Coats', 'Tops'], ['Men'], 'Denim jacket', 'Jackets & Coats'],
    [['Jeans', 'Jackets & Coats', 'Tops'], ['Men'], 'Levi’s 501 jeans, denim', 'Jeans'],
    [['Trench coats', 'Vests', 'Peacoats'], ['Women', 'Coats & jackets'], 'Burberrys trench coat', 'Trench coats'],
    // None of them is a plain coat.
    [['Trench coats', 'Vests', 'Peacoats'], ['Women', 'Coats & jackets'], 'Wool coat, green', null],
    [['Trench coats', 'Vests'], ['Women', 'Trench coats'], 'Levi’s denim jacket', null],
    [['Down vests', 'Sweater vests', 'Cardigans'], ['Men', 'Vests'], 'Argyle sweater vest', 'Sweater vests'],
    [['Women', 'Men', 'Kids', 'Home'], ['Women', 'Jackets'], 'Barn coat, men’s L', 'Men'],
    [['Women', 'Men', 'Kids', 'Home'], ['Men', 'Jackets'], 'Barn coat, ladies M', 'Women'],
    [['Women', 'Men', 'Kids', 'Home'], ['Men', 'Jackets'], 'Barn coat, toddler 3T', 'Kids'],
    [['Heels', 'Boots', 'Sneakers'], ['Women', 'Shoes'], 'Chelsea boots, tan', 'Boots'],
    [['Dress shirts', 'Casual shirts'], ['Men', 'Shirts'], 'White dress shirt', 'Dress shirts'],
  ])('lets the title count first: %j, %j, %s: %s', (labels, path, title, label) => {
    const choice = chooseCategory(labels, path, title)
    expect(choice === null ? null : labels[choice.index]).toBe(label)
    expect(choice?.sure ?? false).toBe(choice !== null && path.includes(label ?? ''))
  })

  it('falls back to the title and is then unsure', () => {
    expect(named(kinds, chooseCategory(kinds, ['Vintage'], 'Denim jacket, no. 3'))).toEqual(['Jackets & Coats', false])
  })

  it('prefers the later word of a title', () => {
    const labels = ['Cashmere', 'Cardigan', 'Crewneck']
    expect(named(labels, chooseCategory(labels, ['Sweaters'], 'Soft cashmere cardigan'))).toEqual(['Cardigan', false])
  })

  it('breaks ties by the title without picking a third option', () => {
    const labels = ['Coats', 'Jackets', 'Dresses']
    const path = ['Coats and Jackets']
    expect([chooseCategory(labels, path, 'Wool dress'), isCategoryTied(labels, path, 'Wool dress')]).toEqual([
      null,
      true,
    ])
    expect(named(labels, chooseCategory(labels, path, 'Jacket dress, wool'))).toEqual(['Jackets', false])
    expect(chooseCategory(['Hats', 'Hat', 'Gloves'], ['A hat'], 'Gloves')).toBeNull()
    expect(isCategoryTied(labels, ['Cameras'], 'Lens')).toBe(false)
  })

  it.each([
    [kinds, ['Cameras & Photo', 'Film Cameras']],
    [kinds, []],
    // The category is wider than the options, so none is right for sure.
    [
      ['Cardigans', 'Crewnecks'],
      ['Women', 'Sweaters'],
    ],
    [
      ['Sneakers', 'Heels'],
      ['Men', 'Shoes'],
    ],
    [['Coats', 'Jackets'], ['Coats and Jackets']],
  ])('chooses none of %j for %j at a tie', (labels, path) => expect(chooseCategory(labels, path)).toBeNull())
})

describe('gradeOf', () => {
  it.each([
    ['nwt', 'new_tags', true],
    ['New With Tags (NWT)', 'new_tags', true],
    ['brand_new', 'new', true],
    ['used_like_new', 'like_new', true],
    ['Used - Excellent', 'excellent', true],
    ['Used, very good', 'excellent', true],
    ['Pre-owned - Good', 'good', true],
    ['uf', 'fair', true],
    ['Acceptable', 'fair', true],
    ['Poor', 'poor', true],
    ['For parts or not working', 'poor', true],
    ['Like new, worn once', 'like_new', false],
    ['Used', 'good', false],
    ['not_nwt', 'good', false],
    ['Not new', 'good', false],
    ['Never worn', 'new', false],
    ['Vintage (1950s)', 'good', false],
    ['Good with a broken zip', 'poor', false],
  ] as const)('%s is %s (sure: %s)', (label, grade, sure) => expect(gradeOf(label)).toEqual({ grade, sure }))

  it.each(['', 'unknown', 'n/a', 'renewed hope'])('returns null for %j', (label) => expect(gradeOf(label)).toBeNull())

  it('returns a known grade or null for any text', () => {
    fc.assert(
      fc.property(fc.string(), (label) => {
        const grade = gradeOf(label)?.grade
        return grade === undefined || grades.includes(grade)
      }),
    )
  })
})
