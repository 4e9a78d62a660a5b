import type { CataloguePlatform } from '#shared/contract/extension.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { platforms } from '#shared/platforms.ts'

/** A platform whose reading is switched off for versions below `below`. Null: for every version. */
interface ReadingSwitch {
  slug: ExtensionSlug
  below: string | null
}

/** Returns what a version of the extension may read, by the operator's `READING_OFF`. */
export function readCatalogue(off: readonly ReadingSwitch[], version: string): CataloguePlatform[] {
  return platforms
    .filter((platform) => platform.connection === 'extension')
    .map(({ slug }) => {
      const held = off.find((one) => one.slug === slug && (one.below === null || isBelow(version, one.below)))
      return { slug, reading: held === undefined, until_version: held?.below ?? null }
    })
}

/** Compares versions number by number: 0.10 is above 0.9, and 1 equals 1.0.0. */
function isBelow(version: string, other: string): boolean {
  const [mine, theirs] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]]
  for (let place = 0; place < Math.max(mine.length, theirs.length); place++) {
    const difference = (mine[place] ?? 0) - (theirs[place] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
