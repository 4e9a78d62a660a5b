import { useEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { ListingOptions, OptionsByPlatform } from '#shared/contract/selling/listings.ts'
import type { FindingCode, Preflight } from '#shared/contract/selling/preflight.ts'
import type { OAuthSlug, PlatformSlug } from '#shared/platforms.ts'
import { useReturn } from '../hooks/use-return.ts'
import { call } from '../host.ts'
import { type Answers, optionsFrom } from '../list/choice-form.ts'

/** Items per request. eBay is asked for the categories of at most so many new titles. */
const atOnce = 20
/** Findings that a seller resolves on another page. */
const doneElsewhere: ReadonlySet<FindingCode> = new Set([
  'subscription_required',
  'address_required',
  'connection_required',
  'reconnect_required',
  'shop_on_vacation',
])
/** Items shown before the seller asks for more. */
const step = 100

/** Names the listing of an item on a platform. */
export const lineName = (uid: string, platform: string) => `${uid} ${platform}`

const nameOfLine = ({ inventory_item_uid, platform }: Preflight) => lineName(inventory_item_uid, platform)

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
  /** The seller's answers about a line. */
  answersOf: (line: Preflight) => Answers
  /** Gives lines answers, and checks them again with those. `category`: the name of the category that was chosen. */
  answer: (given: readonly { line: Preflight; answers: Answers; category?: string | undefined }[]) => Promise<void>
}

/** The items to list on one platform. */
export interface Wanted {
  platform: PlatformSlug
  uids: readonly string[]
}

/** Asks what each item would go up with on each platform. Lines that are known already are not asked for again. */
export function useListingLines(wanted: readonly Wanted[]): ListingLines {
  const [known, setKnown] = useState<ReadonlyMap<string, Preflight>>(new Map())
  const [most, setMost] = useState(step)
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const [given, setGiven] = useState<ReadonlyMap<string, Answers>>(new Map())
  const all = [...new Set(wanted.flatMap(({ uids }) => uids))]
  const shown = all.slice(0, most)
  const among = new Set(shown)
  const pairs = wanted.map(({ platform, uids }) => ({ platform, uids: uids.filter((uid) => among.has(uid)) }))
  const keep = (found: readonly Preflight[]) =>
    setKnown(
      (before) =>
        new Map([...before, ...found.map((one) => [lineName(one.inventory_item_uid, one.platform), one] as const)]),
    )
  /** Asks for lines again. */
  const forget = (isOld: (line: Preflight) => boolean) => {
    const kept = new Map([...known].filter(([, one]) => !isOld(one)))
    if (kept.size === known.size) return
    setKnown(kept)
    setTurn(turn + 1)
  }
  // The seller may have done it on another page by now.
  useReturn(() => forget((line) => errandOf(line) !== undefined))
  const key = JSON.stringify([pairs, turn])
  useEffect(() => {
    let stopped = false
    const ask = async () => {
      for (const { platform, uids } of pairs) {
        const unknown = uids.filter((uid) => !known.has(lineName(uid, platform)))
        for (let from = 0; from < unknown.length && !stopped; from += atOnce) {
          const items = unknown.slice(from, from + atOnce).map((uid) => ({ uid }))
          const { results } = await call('bulkPreflight', { body: { items, platforms: [platform] } })
          if (!stopped) keep(results)
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
    again: () => forget((one) => !isChecked(one)),
    replace: (line) => keep([line]),
    answersOf: (line) => given.get(nameOfLine(line)) ?? {},
    answer: async (asked) => {
      const answers = new Map(given)
      for (const one of asked) {
        const name = nameOfLine(one.line)
        answers.set(name, { ...answers.get(name), ...one.answers })
      }
      setGiven(answers)
      for (const platform of new Set(asked.map(({ line }) => line.platform as OAuthSlug))) {
        const lines = asked.map(({ line }) => line).filter((line) => line.platform === platform)
        for (let from = 0; from < lines.length; from += atOnce) {
          const some = lines.slice(from, from + atOnce)
          const items = some.map((line) => ({
            uid: line.inventory_item_uid,
            options: { [platform]: { ...shownOptions(line), ...optionsFrom(answers.get(nameOfLine(line)) ?? {}) } },
          }))
          const { results } = await call('bulkPreflight', { body: { items, platforms: [platform] } })
          const nameOf = new Map(asked.map(({ line, category }) => [line.inventory_item_uid, category]))
          keep(results.map((line) => withCategoryOf(line, some, nameOf.get(line.inventory_item_uid))))
        }
      }
    },
  }
}

/** Returns what the seller has to do elsewhere first, such as enter an address. */
export const errandOf = ({ findings }: Preflight) =>
  findings.find(({ blocking, code }) => blocking && doneElsewhere.has(code))

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

/**
 * Returns the options that the seller saw or gave, by item, so that a listing goes up with no other category, site or
 * answer.
 */
export function seenOptions(lines: readonly Preflight[], answersOf: ListingLines['answersOf']) {
  const options: Record<string, OptionsByPlatform> = {}
  for (const line of lines) {
    const seen = { ...shownOptions(line), ...optionsFrom(answersOf(line)) }
    if (Object.keys(seen).length === 0) continue
    options[line.inventory_item_uid] = { ...options[line.inventory_item_uid], [line.platform]: seen }
  }
  return options
}

function shownOptions({ options: { marketplace_id, category_id, taxonomy_id } }: Preflight): ListingOptions {
  const shown = Object.entries({ marketplace_id, category_id, taxonomy_id }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(shown)
}

/** Returns a line that was checked again: its category is still a suggestion, and keeps its name. */
function withCategoryOf(line: Preflight, before: readonly Preflight[], name: string | undefined): Preflight {
  const category = before.find((one) => one.inventory_item_uid === line.inventory_item_uid)?.category
  if (category && category.id === line.category?.id) return { ...line, category }
  return line.category && name ? { ...line, category: { ...line.category, name: line.category.name ?? name } } : line
}

/** Returns the options that the platform asks for before it takes a listing. */
export function missingIn({ findings }: Preflight): string[] {
  return findings.flatMap(({ field, code, blocking }) =>
    blocking && code === 'choice_required' ? [field.replace(/^options\./, '')] : [],
  )
}
