import type { Preflight } from '#shared/contract/selling/preflight.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** The fees of a platform for putting listings up. */
interface FeeSum {
  platform: PlatformSlug
  currency: string
  amount_minor: number
  n: number
}

/** From this sum on, in minor units, the seller confirms it by typing. Platforms state their fees in US dollars. */
const muchMinor = 2_000

/** Returns the sums of the fees that are due for sure when these listings go up. Those that cannot go up cost nothing. */
export function feesOf(lines: readonly Preflight[]): FeeSum[] {
  const sums = new Map<string, FeeSum>()
  for (const { ready, platform, fees } of lines) {
    for (const { charged, certain, amount_minor, currency } of ready ? fees : []) {
      if (charged !== 'on_listing' || !certain || amount_minor === null || currency === null) continue
      const name = `${platform} ${currency}`
      const sum = sums.get(name) ?? { platform: platform as PlatformSlug, currency, amount_minor: 0, n: 0 }
      sums.set(name, { ...sum, amount_minor: sum.amount_minor + amount_minor, n: sum.n + 1 })
    }
  }
  return [...sums.values()]
}

/** Whether a sum is so high that one press must not spend it. */
export const isMuch = ({ amount_minor }: FeeSum): boolean => amount_minor >= muchMinor
