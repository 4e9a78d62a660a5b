import { PlatformError } from '../errors.ts'
import type { Etsy } from './client.ts'
import { TaxonomyAnswer, type WireTaxonomyNode } from './wire.ts'

export type Categories = ReadonlyMap<number, string>

/** Delay before a failed call is repeated. */
const pauseMs = 10 * 60_000

/**
 * Creates a cached reader of Etsy's categories: paths ("Clothing > Women's Clothing > Dresses") by taxonomy id. One
 * call reads the whole tree. If it fails, the map is empty and the import continues without category names.
 */
export function createTaxonomy(etsy: Etsy, now: () => number = () => performance.now()): () => Promise<Categories> {
  let cached: { answer: Promise<Categories>; until: number } | null = null
  return () => {
    if (!cached || cached.until < now()) cached = { answer: load(), until: Number.POSITIVE_INFINITY }
    return cached.answer
  }

  async function load(): Promise<Categories> {
    try {
      const { results } = await etsy({ call: 'the list of categories', path: '/seller-taxonomy/nodes' }, TaxonomyAnswer)
      return pathsOf(results)
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (cached) cached.until = now() + pauseMs
      return new Map()
    }
  }
}

function pathsOf(roots: WireTaxonomyNode[]): Categories {
  const paths = new Map<number, string>()
  const open = roots.map((node) => ({ node, above: '' }))
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const path = entry.above === '' ? entry.node.name : `${entry.above} > ${entry.node.name}`
    paths.set(entry.node.id, path)
    for (const node of entry.node.children ?? []) open.push({ node, above: path })
  }
  return paths
}
