import { isMaterial, isUpperMaterial, namesOf, sizeNamed } from '#server/integrations/item-texts/local-names.ts'
import type { Listing } from '#shared/listing.ts'

/** An item specific: its folded name, in the language of the site, and its values. */
export type Specific = [name: string, values: string[]]

/** Returns brand, size, colors and material from item specifics. `site`: as `Item.Site` names it. */
export function traitsOf(
  specifics: readonly Specific[],
  site: string | undefined,
): Pick<Listing, 'brand' | 'size' | 'colors' | 'material'> {
  const colorNames = namesOf('color')
  return {
    brand: first(specifics, namesOf('brand')),
    size: sizeOf(specifics, site),
    colors: specifics.find(([name]) => colorNames.includes(name))?.[1],
    material: materialOf(specifics)?.slice(0, 500),
  }
}

/** Returns the first value of the first name that is present. */
export function first(specifics: readonly Specific[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = specifics.find(([label]) => label === name)
    if (found) return found[1][0]
  }
  return undefined
}

/**
 * Returns the size. A shoe often has one for each system: then it is that of the listing's own site, or else the
 * European one.
 */
function sizeOf(specifics: readonly Specific[], site: string | undefined): string | undefined {
  const sizes = specifics.flatMap(([name, [value]]) => {
    const named = sizeNamed(name)
    return named && value !== undefined ? [{ value, system: named.system }] : []
  })
  const own = systemOfSite[site ?? 'US'] ?? 'eu'
  for (const system of [undefined, own, 'eu', 'us', 'uk']) {
    const found = sizes.find((size) => size.system === system)
    if (found) return found.value
  }
  return sizes[0]?.value
}

const systemOfSite: Record<string, string> = {
  US: 'us',
  eBayMotors: 'us',
  Canada: 'us',
  CanadaFrench: 'us',
  UK: 'uk',
  Ireland: 'uk',
  Australia: 'au',
}

function materialOf(specifics: readonly Specific[]): string | undefined {
  const whole = specifics.find(([name]) => isMaterial(name)) ?? specifics.find(([name]) => isUpperMaterial(name))
  return whole?.[1][0]
}
