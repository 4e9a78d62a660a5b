import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedDatabase } from '#server/db/embedded.ts'
import { closeDatabase, type Database, openDatabase } from '#server/db/index.ts'
import { migrate } from '#server/db/migrate.ts'
import { listItems } from '#server/inventory/read-items.ts'
import { buildAccount } from '#server/testing/account.ts'
import { median } from './stage.ts'

/**
 * Listing 50 items at any depth of an inventory of 1,000,000 beside one of 1,000: wanted at most 1.2 times the cost. The
 * whole of the reading is measured: query, rows, records.
 */
const sizes = { small: 1_000, big: 1_000_000 }
const wanted = 1.2

const directory = await mkdtemp(join(tmpdir(), 'hapax-bench-'))
const database = await startEmbeddedDatabase(directory, { throwaway: true })
await migrate(database.url)
const db = openDatabase({ url: database.url })
let failed = false
try {
  const small = await fill(db, sizes.small)
  const big = await fill(db, sizes.big)
  await db.none('vacuum analyze')
  const cost: Record<string, number> = {}
  // In turns, so that what else the machine does meets all alike.
  const places = {
    [`${sizes.small} items`]: { user_id: small, share: 0.5 },
    [`${sizes.big} items, first page`]: { user_id: big, share: 1 },
    [`${sizes.big} items, half way`]: { user_id: big, share: 0.5 },
    [`${sizes.big} items, last page`]: { user_id: big, share: 0.0001 },
  }
  const times = Object.fromEntries(Object.keys(places).map((name) => [name, [] as number[]]))
  for (let round = 0; round < 400; round++) {
    for (const [name, { user_id, share }] of Object.entries(places)) {
      const cursor = cursorAt(user_id === big ? sizes.big : sizes.small, share)
      const startedMs = performance.now()
      const { results } = await listItems(db, 'https://hapax.example', { user_id, cursor, page_size: 50 })
      if (round >= 50) times[name]!.push(performance.now() - startedMs)
      if (results.length !== 50) throw new Error(`${name}: ${results.length} items`)
    }
  }
  for (const [name, measured] of Object.entries(times)) cost[name] = median(measured)
  const base = cost[`${sizes.small} items`]!
  for (const [name, milliseconds] of Object.entries(cost)) {
    const ratio = milliseconds / base
    const missed = ratio > wanted
    failed ||= missed
    console.log(
      `${name}: ${milliseconds.toFixed(2)} ms for 50, ${ratio.toFixed(2)} times (wanted: ${wanted})${missed ? '  MISSED' : ''}`,
    )
  }
} finally {
  await closeDatabase(db)
  await database.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

/** A seller with so many items, each listed once. */
async function fill(queries: Database, count: number): Promise<number> {
  const { user_id } = await buildAccount(queries)
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
  return user_id
}

/** A cursor so far from the oldest item, a little different each time. */
function cursorAt(count: number, share: number): string {
  const number = Math.max(60, Math.floor(count * share) - Math.floor(Math.random() * 100))
  return Buffer.from(`inv_${String(number).padStart(22, '0')}`).toString('base64url')
}
