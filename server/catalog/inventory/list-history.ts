import { fitting } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { notFound } from '#server/infra/errors.ts'
import { witnessOf } from '#server/selling/sales/witness.ts'
import type { HistoryEntry } from '#shared/contract/catalog/inventory.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

type ListingAct = RowOf<typeof sql.listListingActs>

/**
 * Lists the acts on an item and on its listings, newest first, up to the limit of an answer. Throws 404 for another user's
 * item.
 */
export async function listHistory(
  queries: Queries,
  item: { user_id: number; uid: string },
  before_version: number | null = null,
): Promise<HistoryEntry[]> {
  const rows = await queries.any(sql.listHistory({ ...item, before_version }))
  // Every item has its first state.
  if (rows.length === 0 && before_version === null) throw notFound()
  if (rows.length === 0) {
    await listHistory(queries, item)
    return []
  }
  const acts = await queries.any(sql.listListingActs({ ...item, before_version }))
  const entries = withTakeDowns(rows.map(witnessed), await queries.any(sql.listTakeDowns(item)))
  const oldest = entries.at(-1)!.version
  const onPlatforms = acts.filter(({ version }) => version >= oldest).map(toEntry)
  const newestFirst = (one: HistoryEntry, other: HistoryEntry) => Date.parse(other.at) - Date.parse(one.at)
  return fitting([...entries, ...onPlatforms].sort(newestFirst).slice(0, 1_000))
}

type HistoryRow = Awaited<ReturnType<typeof readRows>>[number]
const readRows = (queries: Queries, of: Parameters<typeof sql.listHistory>[0]) => queries.any(sql.listHistory(of))

/** Adds the witness of an act, which entries of earlier versions tell by their order or import. */
function witnessed({ place, order_source, import_source, ordered_at, ...entry }: HistoryRow): HistoryEntry {
  const ofOrder = order_source && place ? witnessOf(order_source, place) : null
  const ofImport = import_source && (import_source === 'pull' ? 'api' : 'page')
  const witness = entry.witness ?? (entry.actor === 'user' ? 'seller' : (ofOrder ?? ofImport ?? null))
  const marketplace = witness === 'seller' || place === 'outside' ? null : place
  return { ...entry, witness, marketplace, ordered_at: ordered_at && new Date(ordered_at).toISOString() }
}

type TakeDown = Awaited<ReturnType<typeof readTakeDowns>>[number]
const readTakeDowns = (queries: Queries, item: { user_id: number; uid: string }) => queries.any(sql.listTakeDowns(item))

/** Adds each take-down to the change of state before it that put the item off sale. `entries`: the newest first. */
function withTakeDowns(entries: readonly HistoryEntry[], takeDowns: readonly TakeDown[]): HistoryEntry[] {
  const followed = new Map<HistoryEntry, NonNullable<HistoryEntry['followed']>>()
  for (const { platform, asked_at, ended_at, ...takeDown } of takeDowns) {
    const cause = entries.find(
      ({ at, from_state, to_state }) => from_state !== to_state && Date.parse(at) <= Date.parse(asked_at),
    )
    if (!cause || cause.to_state === 'available') continue
    const instant = (at: string) => new Date(at).toISOString()
    const times = { asked_at: instant(asked_at), ended_at: ended_at && instant(ended_at) }
    followed.set(cause, [...(followed.get(cause) ?? []), { marketplace: platform, ...takeDown, ...times }])
  }
  return entries.map((entry) => (followed.has(entry) ? { ...entry, followed: followed.get(entry)! } : entry))
}

function toEntry({ version, at, state, cause, warnings, ...act }: ListingAct): HistoryEntry {
  return {
    ...{ version, at, from_state: state, to_state: state, reference: null, changes: [] },
    actor: cause === 'user' || cause === 'bulk' ? 'user' : 'sale',
    reason: warnings ? [`${reasonOf(act)}.`, ...warnings].join(' ') : reasonOf(act),
    witness: 'api',
    marketplace: act.platform,
  }
}

function reasonOf({
  kind,
  platform,
  fields,
  price_minor,
  currency,
  external_order_id,
}: Pick<ListingAct, 'kind' | 'platform' | 'fields' | 'price_minor' | 'currency' | 'external_order_id'>) {
  const { name } = platformOf(platform)
  if (kind === 'oversell') return `Sold a second time on ${name}, order ${external_order_id}`
  const price =
    price_minor === null || currency === null ? '' : `${decimalFromMinor(price_minor, currency)} ${currency}`
  if (kind === 'list') return `Listed on ${name}${price && ` for ${price}`}`
  if (kind === 'delist') return `Ended on ${name}`
  const content = (fields ?? []).map((field) => (field === 'images' ? 'photos' : field))
  if (content.length === 0) return `Price on ${name} changed to ${price}`
  const updated = `Updated on ${name}: ${content.join(', ')}`
  return price === '' ? updated : `${updated}, price ${price}`
}
