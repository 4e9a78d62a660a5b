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
