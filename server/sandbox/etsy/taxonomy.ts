import type { SandboxAttribute } from './listing.ts'

interface Node {
  id: number
  level: number
  name: string
  parent_id: number | null
  children: Node[]
  full_path_taxonomy_ids: number[]
}

/** A few branches of the seller taxonomy. */
const branches: [number, string, number[]][] = [
  [1, 'Accessories', []],
  [66, 'Art & Collectibles', []],
  [77, 'Collectibles', [66]],
  [323, 'Books', [340]],
  [340, 'Books, Movies & Music', []],
  [365, 'Clothing', []],
  [374, "Women's Clothing", [365]],
  [429, "Men's Clothing", [365]],
  [471, 'Dresses', [365, 374]],
  [382, 'Cameras', [69150367]],
  [69150367, 'Electronics & Accessories', []],
  [891, 'Home & Living', []],
  [1011, 'Lamps', [891]],
  [1029, 'Kitchen & Dining', [891]],
  [1058, 'Teapots', [891, 1029]],
  [1080, 'Bowls', [891, 1029]],
  [941, 'Quilts', [891]],
  [968, 'Clocks', [891]],
  [1179, 'Jewelry', []],
  [1203, 'Earrings', [1179]],
  [1229, 'Necklaces', [1179]],
  [1243, 'Rings', [1179]],
  [1192, 'Brooches', [1179]],
  [1429, 'Shoes', []],
  [1430, 'Sandals', [1429]],
  [1436, 'Sneakers', [1429]],
  [132, 'Bags & Purses', []],
  [140, 'Handbags', [132]],
  [153, 'Backpacks', [132]],
  [1552, 'Toys & Games', []],
  [1553, 'Dolls', [1552]],
  [1578, 'Puzzles', [1552]],
  [341, 'Records', [340]],
  [342, 'Magazines', [340]],
  [79, 'Coins', [66, 77]],
  [80, 'Stamps', [66, 77]],
  [119, 'Posters', [66]],
  [121, 'Sculptures', [66]],
  [14, 'Scarves', [1]],
  [15, 'Belts', [1]],
  [16, 'Umbrellas', [1]],
  [17, 'Hats', [1]],
  [18, 'Gloves', [1]],
  [19, 'Sunglasses', [1]],
  [383, 'Typewriters', [69150367]],
  [562, 'Craft Supplies & Tools', []],
  [6592, 'Patterns & How To', [562]],
]

/** Ids that a listing may have. */
export const taxonomyIds: ReadonlySet<number> = new Set(branches.map(([id]) => id))

export function taxonomyNodes(): { count: number; results: Node[] } {
  const nodes = new Map<number, Node>()
  for (const [id, name, above] of branches) {
    const path = [...above, id]
    nodes.set(id, {
      id,
      level: path.length,
      name,
      parent_id: above.at(-1) ?? null,
      children: [],
      full_path_taxonomy_ids: path,
    })
  }
  for (const node of nodes.values()) if (node.parent_id !== null) nodes.get(node.parent_id)!.children.push(node)
  const roots = [...nodes.values()].filter(({ parent_id }) => parent_id === null)
  return { count: roots.length, results: roots }
}

interface Scale {
  scale_id: number
  display_name: string
  description: string
}

interface Property {
  property_id: number
  name: string
  display_name: string
  scales: Scale[]
  is_required: boolean
  supports_attributes: boolean
  supports_variations: boolean
  is_multivalued: boolean
  max_values_allowed: number | null
  possible_values: { value_id: number; name: string; scale_id: number | null; equal_to: number[] }[]
  selected_values: Property['possible_values']
}

const scale = (scale_id: number, display_name: string): Scale => ({ scale_id, display_name, description: '' })
const [american, european, inches] = [scale(19, 'US/Canada'), scale(17, 'EU'), scale(5, 'Inches')]
const values = (first: number, names: string[], scale_id: number | null = null) =>
  names.map((name, index) => ({ value_id: first + index, name, scale_id, equal_to: [] }))

function property(property_id: number, name: string, rest: Partial<Property>): Property {
  return {
    property_id,
    name,
    display_name: name,
    scales: [],
    is_required: false,
    supports_attributes: true,
    supports_variations: false,
    is_multivalued: false,
    max_values_allowed: null,
    possible_values: [],
    selected_values: [],
    ...rest,
  }
}

const color = property(200, 'Primary color', { possible_values: values(1, ['Black', 'Blue', 'Rust', 'Black & White']) })
const shoeSize = property(3_710, 'Shoe size', {
  is_required: true,
  scales: [american, european],
  possible_values: [
    ...values(1_330, ['6', '7', '8', '38'], american.scale_id),
    ...values(1_392, ['36', '37', '38', '39', '40'], european.scale_id),
  ],
})
const craftType = property(4_562, 'Craft type', {
  is_required: true,
  is_multivalued: true,
  max_values_allowed: 2,
  possible_values: values(542, ['Crewel', 'Knitting', 'Sewing', 'Weaving & tapestry']),
})
const height = property(5_121, 'Height', { is_required: true, scales: [inches] })
const width = property(5_122, 'Width', { scales: [inches] })

/** Properties of categories and of those below them; every category has a color. */
const ofCategories: Record<number, Property[]> = { 1429: [shoeSize], 562: [craftType], 121: [height, width] }

/** Returns the properties of a category; null for an unknown one. */
export function propertiesOf(taxonomyId: number): Property[] | null {
  const branch = branches.find(([id]) => id === taxonomyId)
  if (!branch) return null
  return [color, ...[...branch[2], taxonomyId].flatMap((id) => ofCategories[id] ?? [])]
}

/** Returns the refusal of a property's value; null for none. */
export function propertyFault(taxonomyId: number, propertyId: number, given: SandboxAttribute): string | null {
  const known = propertiesOf(taxonomyId)?.find(({ property_id }) => property_id === propertyId)
  if (!known) return `Property ${propertyId} is not valid for taxonomy ${taxonomyId}.`
  const malformed = given.values.find((value) => /[()]/.test(value))
  if (malformed) return `Array input ${malformed} is malformed`
  if (given.values.length === 0) return 'values cannot be empty'
  if (given.values.length > (known.is_multivalued ? (known.max_values_allowed ?? 10) : 1)) return 'Too many values.'
  if (known.scales.length > 0 && !known.scales.some(({ scale_id }) => scale_id === given.scaleId)) {
    return 'A valid scale_id is required.'
  }
  if (known.possible_values.length === 0) return null
  const fits = given.values.every((name, index) =>
    known.possible_values.some(
      (one) => one.value_id === given.valueIds[index] && one.name === name && one.scale_id === given.scaleId,
    ),
  )
  return fits ? null : `Values ${given.values.join()} are not valid for ${known.name}.`
}

/** Returns the refusal of a listing that lacks a required property of its category; null for none. */
export function requiredFault(taxonomyId: number, attributes: Record<number, SandboxAttribute>): string | null {
  const lacks = propertiesOf(taxonomyId)?.some(
    ({ is_required, property_id }) => is_required && attributes[property_id] === undefined,
  )
  return lacks ? 'There was a problem with /attributes : Must supply all required attributes' : null
}
