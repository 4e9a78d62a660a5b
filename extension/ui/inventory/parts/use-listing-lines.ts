import { useEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import { send } from '#extension/messaging/send.ts'
import type { OptionsByPlatform } from '#shared/contract/listings.ts'
import type { Preflight } from '#shared/contract/preflight.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** Items per request. eBay is asked for the categories of at most so many new titles. */
const atOnce = 20
/** Items shown before the seller asks for more. */
const step = 100

/** Names the listing of an item on a platform. */
export const lineName = (uid: string, platform: string) => `${uid} ${platform}`

/** The listings of a dialog, each with what it would be published with. */
export interface ListingLines {
  lines: readonly Preflight[]
  asking: boolean
  problem: string | null
  /** Items that are not shown yet. They are not listed. */
  more: number
  showMore: () => void
  again: () => void
  /** Replaces a line after the seller changed it. */
  replace: (line: Preflight) => void
}

/** The items to list on one platform. */
export interface Wanted {
  platform: OAuthSlug
  uids: readonly string[]
}

/** Asks what each item would go up with on each platform. Lines that are known already are not asked for again. */
export function useListingLines(wanted: readonly Wanted[]): ListingLines {
  const [known, setKnown] = useState<ReadonlyMap<string, Preflight>>(new Map())
  const [most, setMost] = useState(step)
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const all = [...new Set(wanted.flatMap(({ uids }) => uids))]
  const shown = all.slice(0, most)
  const among = new Set(shown)
  const pairs = wanted.map(({ platform, uids }) => ({ platform, uids: uids.filter((uid) => among.has(uid)) }))
  const keep = (found: readonly Preflight[]) =>
    setKnown(
      (before) =>
        new Map([...before, ...found.map((one) => [lineName(one.inventory_item_uid, one.platform), one] as const)]),
    )
  const key = JSON.stringify([pairs, turn])
  useEffect(() => {
    let stopped = false
    const ask = async () => {
      for (const { platform, uids } of pairs) {
        const unknown = uids.filter((uid) => !known.has(lineName(uid, platform)))
        for (let from = 0; from < unknown.length && !stopped; from += atOnce) {
          const found = await send('preflight.ofMany', {
            uids: unknown.slice(from, from + atOnce),
            platforms: [platform],
          })
          if (!stopped) keep(found)
        }
      }
    }
    setAsking(true)
    setProblem(null)
    ask()
      .catch((error: unknown) => stopped || setProblem(errorText(error)))
      .finally(() => stopped || setAsking(false))
    return () => {
      stopped = true
    }
  }, [key])
  return {
    lines: shown.flatMap((uid) =>
      pairs.flatMap(({ platform, uids }) => (uids.includes(uid) ? (known.get(lineName(uid, platform)) ?? []) : [])),
    ),
    asking,
    problem,
    more: all.length - shown.length,
    showMore: () => setMost(most + step),
    again: () => {
      // Only those that could not be checked are asked for again.
      setKnown(new Map([...known].filter(([, one]) => isChecked(one))))
      setTurn(turn + 1)
    },
    replace: (line) => keep([line]),
  }
}

/** Returns true if the platform answered, so that what the line says is what would be published. */
export function isChecked({ ready, findings }: Preflight): boolean {
  return ready || findings.some(({ blocking }) => blocking)
}

/**
 * Returns the items of a plan that may be listed: those whose every listing by API was shown as the platform would take
 * it, or refuse it. Nothing else is published.
 */
export function seenUids(uids: readonly string[], wanted: readonly Wanted[], lines: readonly Preflight[]): string[] {
  const seen = new Set(lines.filter(isChecked).map((one) => lineName(one.inventory_item_uid, one.platform)))
  const unseen = new Set(wanted.flatMap((one) => one.uids.filter((uid) => !seen.has(lineName(uid, one.platform)))))
  return uids.filter((uid) => !unseen.has(uid))
}

/** Returns the options that the seller saw, by item, so that a listing goes up with no other category or site. */
export function seenOptions(lines: readonly Preflight[]): Record<string, OptionsByPlatform> {
  const options: Record<string, OptionsByPlatform> = {}
  for (const { inventory_item_uid, platform, options: all } of lines) {
    const { marketplace_id, category_id, taxonomy_id } = all
    const seen = Object.entries({ marketplace_id, category_id, taxonomy_id }).filter(([, value]) => value !== undefined)
    if (seen.length === 0) continue
    options[inventory_item_uid] = { ...options[inventory_item_uid], [platform]: Object.fromEntries(seen) }
  }
  return options
}
