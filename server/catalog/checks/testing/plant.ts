import type { Queries } from '#server/infra/db/index.ts'
import { insertItem } from '#server/selling/listings/testing/build-item.ts'
import { type ListedItem, listingOf, type TestSeller } from '#server/selling/sales/testing/sell.ts'
import { newId, newOrderedId } from '#shared/identity.ts'
import type { ListingState } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** A listing as a test plants it. Without `photos`, nobody has read them. */
interface PlantedListing {
  state?: ListingState
  price_minor?: number
  currency?: string
  photos?: number
  extra?: boolean
  listing_id?: string
  /** The price that a reading told, where it is not the stored one. */
  read_price?: { price_minor: number; state: 'open' | 'ignored' }
  shop?: string
}

type Places = Partial<Record<PlatformSlug, PlantedListing | PlantedListing[]>>

/** Plants an item of 42.50 with its listings, whose photos were read where a number is given. */
export async function plantItem(
  db: Queries,
  seller: TestSeller,
  places: Places,
  given: Parameters<typeof insertItem>[2] & { photos?: number; description?: string } = {},
): Promise<ListedItem> {
  const { photos = 5, description, ...item } = given
  const images = item.images ?? addresses(newId('img'), photos)
  const item_uid = await insertItem(db, seller.user_id, { ...item, images })
  if (description) await db.none('update inventory_item set description = $1 where uid = $2', [description, item_uid])
  for (const [platform, some] of Object.entries(places)) {
    for (const listing of [some].flat()) await plantListing(db, seller, item_uid, platform as PlatformSlug, listing)
  }
  return { ...seller, item_uid }
}

/** Plants the rule that takes ten percent off on Etsy, which makes 38.25 of the price of a planted item. */
export const plantPriceRule = (db: Queries, { user_id }: TestSeller): Promise<null> =>
  db.none('insert into seller_settings (user_id, price_rules) values ($1, $2)', [
    user_id,
    JSON.stringify({ etsy: { basis_points: -1_000, rounding: 'none' } }),
  ])

/** Plants a listing of an item. */
export async function plantListing(
  db: Queries,
  seller: TestSeller,
  item_uid: string,
  platform: PlatformSlug,
  listing: PlantedListing,
): Promise<void> {
  const listing_id = listing.listing_id ?? listingOf(platform, item_uid)
  const row = {
    ...{
      user_id: seller.user_id,
      item_uid,
      platform,
      listing_id,
      seller_account_uid: listing.shop ?? seller.shops[platform],
    },
    ...{ state: 'available', price_minor: 4_250, currency: 'USD', extra: false, ...listing },
  }
  await db.none(
    `insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra,
       price_minor, currency, observed_at)
     values ($<user_id>, $<seller_account_uid>, $<listing_id>, $<item_uid>, $<platform>,
       'https://example.com/' || $<listing_id>, $<state>, $<extra>, $<price_minor>, $<currency>, now())`,
    { ...row, listing_id },
  )
  const differ = (field: string, theirs: unknown, state: string) =>
    db.none(
      `insert into listing_difference (user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at)
       values ($<user_id>, $<uid>, $<seller_account_uid>, $<listing_id>, $<field>, $<theirs>::jsonb, 'read', $<state>, now())`,
      { ...row, listing_id, uid: newOrderedId('dif'), field, theirs: JSON.stringify(theirs), state },
    )
  if (listing.photos !== undefined) await differ('photos', addresses(listing_id, listing.photos), 'same')
  const { read_price } = listing
  if (read_price)
    await differ('price', { price_minor: read_price.price_minor, currency: row.currency }, read_price.state)
}

/** Plants the open question of an import about a listing and an item. */
export async function plantQuestion(
  db: Queries,
  seller: TestSeller,
  asked: {
    item_uid: string
    platform: PlatformSlug
    listing_id: string
    conflict_type: string
    state: ListingState
    certainty?: string
    title?: string
  },
): Promise<{ job_uid: string; item_uid: string }> {
  const job = { uid: newId('job'), shop: seller.shops[asked.platform], user_id: seller.user_id }
  await db.none(
    `insert into import_job (user_id, uid, seller_account_uid, platform, source, status, states, discovery_done, progress, completed_at,
       found_so_far, decided_so_far)
     values ($<user_id>, $<uid>, $<shop>, $<platform>, 'pull', 'completed', '{active}', true, 100, now(), 1, 1)`,
    { ...job, platform: asked.platform },
  )
  const uid = newOrderedId('itm')
  const title = asked.title ?? 'Brass sextant'
  const found = {
    ...{ listing_id: asked.listing_id, url: `https://example.com/${asked.listing_id}`, title, description: 'Old.' },
    ...{ price_minor: 4_250, currency: 'USD', state: asked.state, images: ['https://example.com/1.jpg'] },
  }
  await db.none(
    `insert into import_item (user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title,
       listing_price, status, conflict_type, conflict_details, conflict_item_uid, resolution, processed_at, match_certainty, match_reasons)
     values ($<user_id>, $<job>, $<uid>, $<listing_id>, $<found>::jsonb, now(), '', $<title>, '42.50', 'conflict',
       $<conflict_type>, 'Asked', $<item_uid>, 'pending', now(), $<certainty>, case when $<certainty> is not null then '{same_sku}'::text[] end)`,
    {
      ...asked,
      title,
      certainty: asked.certainty ?? null,
      user_id: seller.user_id,
      job: job.uid,
      uid,
      found: JSON.stringify(found),
    },
  )
  return { job_uid: job.uid, item_uid: uid }
}

/** Returns addresses of some photos. */
export const addresses = (of: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `https://photos.example.com/${of}/${n + 1}.jpg`)
