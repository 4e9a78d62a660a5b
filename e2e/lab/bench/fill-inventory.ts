import type { Database } from '#server/infra/db/index.ts'

/** Creates `count` items of a seller, each listed once. */
export async function fillInventory(queries: Database, user_id: number, count: number): Promise<void> {
  await queries.none(
    `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
     values ($1, 'sel_bench', 'ebay', 'bench-' || $1, 'bench', 'https://platform.example/bench', 'connected')`,
    [user_id],
  )
  for (let from = 0; from < count; from += 50_000) {
    const values = { user_id, from, to: Math.min(count, from + 50_000) - 1 }
    await queries.none(
      `insert into inventory_item (user_id, uid, sku, product_id, offer_id, title, description, attributes, images,
         condition_label, inspected_at, price_minor, currency, state, observed_at, seller_url, shipping_policy_url,
         returns_policy_url)
       select $<user_id>, 'inv_' || lpad(number::text, 22, '0'), 'S-' || number, 'S-' || number, number::text,
         'Wool coat ' || number, repeat('A lovely coat. ', 20), '{"brand": "Marimekko"}',
         array['https://i.example/' || number || '/1.jpg', 'https://i.example/' || number || '/2.jpg'], 'Good', now(), 8500,
         'USD', 'available', now(), 'https://platform.example/bench', 'https://platform.example/s',
         'https://platform.example/r'
       from generate_series($<from>, $<to>) number`,
      values,
    )
    await queries.none(
      `insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, price_minor,
         currency, observed_at)
       select $<user_id>, 'sel_bench', number::text, 'inv_' || lpad(number::text, 22, '0'), 'ebay',
         'https://www.ebay.com/itm/' || number, 'available', 8500, 'USD', now()
       from generate_series($<from>, $<to>) number`,
      values,
    )
  }
}
