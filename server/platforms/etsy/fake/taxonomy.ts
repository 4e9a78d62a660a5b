interface Node {
  id: number
  level: number
  name: string
  parent_id: number | null
  children: Node[]
  full_path_taxonomy_ids: number[]
}

/** A few branches of the seller taxonomy, as GET /seller-taxonomy/nodes answers. */
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
