import type { Database } from '#server/infra/db/index.ts'
import type { ListingPage } from '#server/integrations/port.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { Listing } from '#shared/listing.ts'

/**
 * Imports a shop without jobs, checks, conflicts or restarts, as the reference. It reads the same pages and writes the
 * same rows, with one `insert … select from unnest(…)` per table and page.
 */
export async function importBare(
  db: Database,
  shop: { user_id: number; seller_account_uid: string; platform: string },
  readPage: (cursor: string | null) => Promise<ListingPage>,
): Promise<number> {
  const job = newOrderedId('job')
  await db.none(
    `insert into import_job (user_id, uid, seller_account_uid, platform, source, states)
     values ($<user_id>, $<job>, $<seller_account_uid>, $<platform>, 'pull', '{active}')`,
    { ...shop, job },
  )
  const skus = new Set<string>()
  let count = 0
  let cursor: string | null = null
  do {
    const page: ListingPage = await readPage(cursor)
    cursor = page.nextCursor
    await writePage(db, shop, job, page.listings, skus)
    count += page.listings.length
  } while (cursor !== null)
  return count
}

async function writePage(
  db: Database,
  shop: { user_id: number; seller_account_uid: string; platform: string },
  job: string,
  listings: Listing[],
  skus: Set<string>,
): Promise<void> {
  const rows = listings.map((listing) => {
    const sku = listing.sku && !skus.has(listing.sku) ? listing.sku : null
    if (sku) skus.add(sku)
    return { listing, sku, uid: newOrderedId('inv'), item: newOrderedId('itm') }
  })
  const column = <Value>(of: (row: (typeof rows)[number]) => Value) => rows.map(of)
  const values = {
    ...shop,
    job,
    uids: column(({ uid }) => uid),
    items: column(({ item }) => item),
    skus: column(({ sku }) => sku),
    ids: column(({ listing }) => listing.listing_id),
    urls: column(({ listing }) => listing.url),
    titles: column(({ listing }) => listing.title),
    descriptions: column(({ listing }) => listing.description),
    attributes: column(({ listing }) => JSON.stringify({ brand: listing.brand, size: listing.size })),
    images: column(({ listing }) => `{${listing.images.map((url) => `"${url}"`).join(',')}}`),
    conditions: column(({ listing }) => listing.condition ?? 'none'),
    prices: column(({ listing }) => listing.price_minor),
    currencies: column(({ listing }) => listing.currency),
    found: column(({ listing }) => JSON.stringify(listing)),
    now: new Date().toISOString(),
  }
  await db.tx(async (tx) => {
    await tx.none(
      `insert into import_item (user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title,
         listing_price, status, created_inventory_item_uid, processed_at)
       select $<user_id>, $<job>, item, id, found::jsonb, $<now>, coalesce(sku, ''), title, price::text, 'imported', uid, now()
       from unnest($<items>::text[], $<ids>::text[], $<found>::text[], $<skus>::text[], $<titles>::text[],
         $<prices>::bigint[], $<uids>::text[]) as row (item, id, found, sku, title, price, uid)`,
      values,
    )
    await tx.none(
      `insert into inventory_item (user_id, uid, sku, product_id, offer_id, title, description, attributes, images,
         condition_label, inspected_at, evidence_urls, price_minor, currency, state, observed_at, seller_url,
         shipping_policy_url, returns_policy_url)
       select $<user_id>, uid, sku, coalesce(sku, uid), id, title, description, attributes::jsonb, images::text[], condition,
         $<now>::date, array[url], price, currency, 'available', $<now>, 'https://platform.example/vera',
         'https://platform.example/shipping', 'https://platform.example/returns'
       from unnest($<uids>::text[], $<skus>::text[], $<ids>::text[], $<titles>::text[], $<descriptions>::text[],
         $<attributes>::text[], $<images>::text[], $<conditions>::text[], $<urls>::text[], $<prices>::bigint[],
         $<currencies>::text[])
         as row (uid, sku, id, title, description, attributes, images, condition, url, price, currency)`,
      values,
    )
    await tx.none(
      `insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, sku,
         price_minor, currency, observed_at)
       select $<user_id>, $<seller_account_uid>, id, uid, $<platform>, url, 'available', sku, price, currency, $<now>
       from unnest($<ids>::text[], $<uids>::text[], $<urls>::text[], $<skus>::text[], $<prices>::bigint[],
         $<currencies>::text[]) as row (id, uid, url, sku, price, currency)`,
      values,
    )
    await tx.none(
      `insert into inventory_history (user_id, item_uid, version, actor, to_state, reason, reference)
       select $<user_id>, uid, 1, 'import', 'available', 'Imported', $<job> from unnest($<uids>::text[]) as row (uid)`,
      values,
    )
  })
}
