import type { Database } from '#server/infra/db/index.ts'

/** Sellers that one statement fills in. */
const atOnce = 100

/**
 * Creates sellers with items that are each listed on eBay and Etsy, unless the database has sellers already. Returns the
 * ids of all sellers.
 */
export async function fillSellers(db: Database, sellers: number, items: number): Promise<number[]> {
  const { count } = await db.one<{ count: number }>('select count(*)::integer as count from app_user')
  for (let from = count; from < sellers; from += atOnce) {
    const users = await db.map(
      `insert into app_user (username, email, email_verified)
       select 'seller' || number, 'seller' || number || '@example.com', true from generate_series($1, $2) number
       returning id`,
      [from, Math.min(from + atOnce, sellers) - 1],
      ({ id }: { id: number }) => id,
    )
    const values = { users, items }
    await db.none(
      `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
       select user_id, 'sel_' || platform, platform, user_id || platform, 'shop', 'https://shop.example', 'connected'
       from unnest($<users>::integer[]) user_id, unnest(array['ebay', 'etsy']) platform`,
      values,
    )
    await db.none(
      `insert into inventory_item (user_id, uid, sku, product_id, offer_id, title, description, attributes, images,
         condition_label, inspected_at, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
         returns_policy_url)
       select user_id, 'inv_' || lpad(number::text, 22, '0'), 'S-' || number, 'S-' || number, number::text,
         'Wool coat ' || number || ' in forest green, size M', repeat('A lovely coat. ', 20),
         '{"brand": "Marimekko", "size": "M"}',
         array['https://i.example/' || number || '/1.jpg', 'https://i.example/' || number || '/2.jpg'], 'Good',
         current_date, 8500, 'USD', 'available', now(), 'https://shop.example', 'https://shop.example/s',
         'https://shop.example/r'
       from unnest($<users>::integer[]) user_id, generate_series(0, $<items> - 1) number`,
      values,
    )
    await db.none(
      `insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, price_minor,
         currency, observed_at, for_sale_since)
       select user_id, 'sel_' || platform, platform || '-' || user_id || '-' || number,
         'inv_' || lpad(number::text, 22, '0'), platform, 'https://shop.example/' || number, 'available', 8500, 'USD', now(),
         now()
       from unnest($<users>::integer[]) user_id, generate_series(0, $<items> - 1) number,
         unnest(array['ebay', 'etsy']) platform`,
      values,
    )
  }
  if (count < sellers) await db.none('vacuum analyze')
  return db.map('select id from app_user order by id limit $1', [sellers], ({ id }: { id: number }) => id)
}
