import { maxListBytes } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { invalidField, notFound } from '#server/infra/errors.ts'
import type { InventoryItem, ItemListing, ListingUpdate } from '#shared/contract/catalog/inventory.ts'
import { Id } from '#shared/identity.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import type { ListingTerms } from '#shared/listing.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { buildRecord } from './build-record.ts'
import type { ChannelListing, ItemRow } from './content.ts'
import { noteOf } from './listing-note.ts'
import * as sql from './queries.ts'

export interface InventoryFilter {
  state?: Availability
  platform?: PlatformSlug
  q?: string
  sku?: string
  updated_since?: string
}

interface ListingRow
  extends Omit<ItemListing, 'note' | 'update' | 'listed_at' | keyof ListingTerms>,
    Pick<ChannelListing, 'seller_account_uid'> {
  terms: ListingTerms | null
  listed_at: string
  /** Its last update that is under way, refused, or done with warnings. */
  update: (Omit<ListingUpdate, 'state'> & { state: ListingUpdate['state'] | 'done'; warnings: string[] | null }) | null
}

/** An item as the page of items reads it. */
export interface ReadRow extends ItemRow {
  listings: ListingRow[]
}

const ItemId = Id('inv')

/**
 * Lists a page of a user's items, newest first, shorter if items are large. Throws 400 for an invalid
 * cursor.
 */
export async function listItems(
  queries: Queries,
  publicUrl: string,
  query: InventoryFilter & {
    user_id: number
    /** Only these items, without another filter. */
    uids?: readonly string[]
    cursor?: string
    page_size?: number
    total?: 'true'
  },
): Promise<{ results: InventoryItem[]; next_cursor: string | null; total?: number }> {
  const size = query.page_size ?? 20
  const before = query.cursor === undefined ? null : readCursor(query.cursor)
  const { user_id } = query
  const page = { user_id, before, limit: size + 1 }
  const uids = query.uids ?? (await findFiltered(queries, query, page))
  const { rows, found } = await readRows(queries, { ...page, uids })
  const shown = rows.slice(0, size)
  // There are more than fit, or than requested.
  const last = found > shown.length ? shown.at(-1) : undefined
  return {
    results: shown.map((row) => toItem(row, publicUrl)),
    next_cursor: last ? Buffer.from(last.uid).toString('base64url') : null,
    ...(query.total ? await queries.one(sql.countItems({ user_id })) : {}),
  }
}

/** Reads one item. Throws 404 for an unknown item or another user's. */
export async function readItem(
  queries: Queries,
  publicUrl: string,
  item: { user_id: number; uid: string },
): Promise<InventoryItem> {
  const [row] = (await readRows(queries, { ...item, uids: [item.uid] })).rows
  if (!row) throw notFound()
  const read = toItem(row, publicUrl)
  const unseen = row.listings.some(({ state }) => state === 'removed')
    ? await queries.any(sql.findUnseenEnds(item))
    : []
  for (const end of unseen) {
    const listing = read.listings?.find((one) => one.platform === end.platform && one.listing_id === end.listing_id)
    if (listing) listing.note = 'You said that it has ended. Hapax has not seen it yet.'
  }
  return read
}

/** Reads items by their ids, each with its row. Unknown and merged ones are left out. */
export async function readItems(
  queries: Queries,
  publicUrl: string,
  { user_id, uids }: { user_id: number; uids: readonly string[] },
): Promise<Map<string, { item: InventoryItem; row: ItemRow }>> {
  const items = new Map<string, { item: InventoryItem; row: ItemRow }>()
  for (let before: string | null = null; uids.length > 0; ) {
    const { rows, found } = await readRows(queries, { user_id, uids, before })
    for (const { listings, ...row } of rows) {
      items.set(row.uid, { item: toItem({ ...row, listings }, publicUrl), row })
    }
    // Large items end a page early.
    if (found <= rows.length) break
    before = rows.at(-1)!.uid
  }
  return items
}

/** Returns the ids of the page of items that fit the filters; null without a filter. */
async function findFiltered(
  queries: Queries,
  filter: InventoryFilter,
  page: { user_id: number; before: string | null; limit: number },
): Promise<string[] | null> {
  const { state = null, platform = null, q = null, sku = null, updated_since = null } = filter
  const filters = { state, platform, q, sku, updated_since }
  if (Object.values(filters).every((value) => value === null)) return null
  const found = await queries.any(sql.findFiltered({ ...page, ...filters }))
  return found.map(({ uid }) => uid)
}

/** Returns the rows of a page, and how many were found for it, including those that did not fit. */
async function readRows(
  queries: Queries,
  page: { user_id: number; uids: readonly string[] | null; uid?: string; before?: string | null; limit?: number },
): Promise<{ rows: ReadRow[]; found: number }> {
  // The query cuts the page already, because the largest items fill memory.
  const read = await queries.any(sql.listItems({ uid: null, before: null, limit: 0, ...page, max_bytes: maxListBytes }))
  const rows = read.map(({ item }) => ({
    ...item,
    observed_at: utc(item.observed_at),
    created_at: utc(item.created_at),
    updated_at: utc(item.updated_at),
  }))
  return { rows, found: read[0]?.found ?? 0 }
}

/** PostgreSQL writes times in JSON with the offset of its own zone. */
const utc = (time: string) => new Date(time).toISOString()

function toItem(row: ReadRow, publicUrl: string): InventoryItem {
  const listings = row.listings.map(toListing)
  const notes = listings.flatMap(({ platform, note }) => (note ? [`${platformOf(platform).name}: ${note}`] : []))
  return {
    uid: row.uid,
    sku: row.sku,
    description: row.description,
    attributes: row.attributes,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    seller_account_uids: [...new Set(row.listings.map((listing) => listing.seller_account_uid))],
    listings,
    ...(notes.length > 0 ? { notes } : {}),
    record: buildRecord(row, row.listings, publicUrl),
  }
}

function toListing({ seller_account_uid: _, terms, update: last, ...listing }: ListingRow): ItemListing {
  const { warnings, state, ...rest } = last ?? {}
  const isLive = listing.state === 'available' || listing.state === 'reserved'
  const note = [isLive && noteOf(terms), ...(warnings ?? [])].filter(Boolean).join(' ')
  const update = last && state !== 'done' ? { update: { ...rest, state, at: utc(last.at) } as ListingUpdate } : {}
  return { ...listing, listed_at: utc(listing.listed_at), ...update, ...terms, ...(note ? { note } : {}) }
}

function readCursor(cursor: string): string {
  const uid = ItemId.safeParse(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!uid.success) throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  return uid.data
}
