import { PlatformError } from '#server/integrations/errors.ts'
import type { CategoryName } from '#server/integrations/port.ts'
import type { Categories } from '../taxonomy.ts'
import { wordsOf } from './listing-choices.ts'

/** Maximum categories in a search result. */
const maxFound = 20

/**
 * Finds the categories whose path has the most search words, each as the beginning of a word. A match in the last name
 * of the path ranks first, then the shorter path. Throws PlatformError `unavailable` while the categories are unknown.
 */
export function findCategories(categories: Categories, words: string): CategoryName[] {
  if (categories.size === 0) {
    throw new PlatformError('etsy', 'unavailable', 'Etsy does not return its categories at the moment.')
  }
  const sought = [...wordsOf(words)]
  const hits = (text: string) => {
    const has = [...wordsOf(text)]
    return sought.filter((word) => has.some((one) => one.startsWith(word))).length
  }
  const found = [...categories].flatMap(([id, name]) => {
    const among = hits(name)
    return among === 0 ? [] : [{ id: String(id), name, among, last: hits(name.split(' > ').at(-1) ?? '') }]
  })
  const most = Math.max(...found.map(({ among }) => among))
  return found
    .filter(({ among }) => among === most)
    .sort((a, b) => b.last - a.last || a.name.length - b.name.length || a.name.localeCompare(b.name, 'en'))
    .slice(0, maxFound)
    .map(({ id, name }) => ({ id, name }))
}
