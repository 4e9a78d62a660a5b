import { addresses as depop } from './depop/pages.ts'
import { addresses as mercari } from './mercari/pages.ts'
import type { PlatformAddresses } from './port.ts'
import { addresses as poshmark } from './poshmark/pages.ts'

/** Addresses of the marketplaces that the extension reads. Readers of their pages are apart (registry.ts). */
const platforms: readonly PlatformAddresses[] = [poshmark, mercari, depop]

/** Returns the addresses of a platform, or null if the extension does not read it. */
export function addressesOf(slug: string | null): PlatformAddresses | null {
  return platforms.find((platform) => platform.slug === slug) ?? null
}

/** Returns the platform of a page by its origin, or null. */
export function addressesAt(url: string): PlatformAddresses | null {
  const origin = URL.parse(url)?.origin
  return platforms.find(({ origins }) => origin !== undefined && origins.includes(origin)) ?? null
}
