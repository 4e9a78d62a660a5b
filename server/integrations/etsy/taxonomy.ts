import { PlatformError } from '../errors.ts'
import type { Etsy } from './client.ts'
import { TaxonomyAnswer, type WireTaxonomyNode } from './wire.ts'

export type Categories = ReadonlyMap<number, string>

/** How long a failed call is not repeated. */
const pauseMs = 10 * 60_000

/**
 * Names of Etsy's categories by taxonomy id, as paths ("Clothing > Women's Clothing > Dresses"): one call for the whole
 * tree, kept while the process lives. A name is a nicety: while Etsy does not give them there are none, and the import
 * goes on.
 */
export function createTaxonomy(etsy: Etsy, now: () => number = Date.now): () => Promise<Categories> {
  let kept: { answer: Promise<Categories>; until: number } | null = null
  return () => {
    if (!kept || kept.until < now()) kept = { answer: load(), until: Number.POSITIVE_INFINITY }
    return kept.answer
  }

  async function load(): Promise<Categories> {
    try {
      const { results } = await etsy({ call: 'the list of categories', path: '/seller-taxonomy/nodes' }, TaxonomyAnswer)
      return pathsOf(results)
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (kept) kept.until = now() + pauseMs
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
