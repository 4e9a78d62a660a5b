import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { testSecretKey } from '#e2e/harness/server-process.ts'
import { createJob } from '#server/catalog/imports/jobs/create-job.ts'
import { readJob } from '#server/catalog/imports/jobs/read-jobs.ts'
import { runImport } from '#server/catalog/imports/run-import.ts'
import { readConfig } from '#server/config.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { purge } from '#server/operations/cleanup/purge.ts'
import { setImportStage } from './import-stage.ts'
import { type ConnectedSeller, connectSellers, etsySecret, openHapax, openMarket } from './sale-stage.ts'

/**
 * Measures how much the database grows by an item, a repeated import and a sale, on the current schema. Sellers import
 * believable listings of the sandbox Etsy, list them on the sandbox eBay, too, and buyers buy some. The rows are those of
 * the real imports, orders and take-downs; only the second listing and copied photos are inserted. `--sellers` and `--items` change the size.
 */
const { values } = parseArgs({
  options: { sellers: { type: 'string', default: '20' }, items: { type: 'string', default: '250' } },
  allowPositionals: true,
})
const [sellers, itemsEach] = [Number(values.sellers), Number(values.items)]
const items = sellers * itemsEach
const sales = Math.round(items / 5)

interface TableSize {
  rows: number
  bytes: number
  indexBytes: number
}
type Sizes = Map<string, TableSize>

const say = (line: string) => process.stdout.write(`${line}\n`)
const stage = await setImportStage()
const { services } = stage
const { db } = services
const market = await openMarket({
  ...{ sellers, itemsEach, believable: true, ebayTradingPerDay: 100_000_000 },
  etsy: { perSecond: 1_000_000, perDay: 100_000_000 },
})
try {
  const { started } = market
  const environment = {
    ...{ DATABASE_URL: services.config.DATABASE_URL ?? '', SECRET_KEY: testSecretKey, PUBLIC_URL: 'http://127.0.0.1' },
    ...{ EBAY_AUTH_URL: started.ebayUrl, EBAY_API_URL: started.ebayUrl, EBAY_APIZ_URL: started.ebayUrl },
    ...{ EBAY_CLIENT_ID: 'Bench', EBAY_CLIENT_SECRET: 'bench', EBAY_RU_NAME: 'Bench' },
    ...{ ETSY_AUTH_URL: started.etsyUrl, ETSY_API_URL: started.etsyUrl, ETSY_WEBHOOK_SECRET: etsySecret },
    ...{ ETSY_CLIENT_ID: 'bench', ETSY_CLIENT_SECRET: 'bench' },
  }
  services.platforms = createPlatforms({ config: readConfig(environment), fetch })
  const connected = await connectSellers(services, started)
  say(`${sellers} sellers with ${itemsEach} items each. Bytes include indexes; dead rows are vacuumed.\n`)

  let before = await sizes()
  for (const seller of connected) await importShop(seller)
  before = await report('An imported item with one listing', items, before)
  await listOnEbay(connected)
  before = await report('A second listing', items, before)
  await copyPhotos()
  before = await report('Five copied photos of an item (their files are elsewhere)', items, before)
  for (const seller of connected) await importShop(seller)
  before = await report('The same item in a repeated import', items, before)

  const hapax = await openHapax({
    ...{ environment, keysUrl: started.keysUrl, etsyPerSecond: 1_000_000, ebayTradingPerDay: 100_000_000 },
  })
  try {
    const bought = await market.sell({ hapaxUrl: hapax.url, sales, perSecond: 20, seed: 1 })
    await takenDown(bought.length)
  } finally {
    await hapax.stop()
  }
  await report('A sale with its take-down', sales, before)
  await reportRetention()
} finally {
  market.close()
  await stage.close()
}
process.exit(0)

async function importShop({ account: { user_id }, shops }: ConnectedSeller): Promise<void> {
  const job = await createJob(services, { user_id, seller_account_uid: shops.etsy, marketplace: 'etsy' })
  while ((await runImport(services, { user_id, job_uid: job.body.id })).kind === 'again') {}
  const { status, error_message } = await readJob(db, { user_id, job_uid: job.body.id })
  if (status !== 'completed') throw new Error(`the import is ${status}: ${error_message}`)
}

/** Inserts the listing that each item has on eBay, as if the seller had linked it. */
async function listOnEbay(connected: ConnectedSeller[]): Promise<void> {
  for (const [index, { account, shops }] of connected.entries()) {
    await db.none(
      `insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, sku, price_minor,
         currency, listed_at, for_sale_since, observed_at, created_at)
       select user_id, $<shop>, given.ebay, item_uid, 'ebay', 'https://www.ebay.com/itm/' || given.ebay, state, sku, price_minor,
         currency, listed_at, for_sale_since, observed_at, created_at
       from jsonb_to_recordset($<items>::jsonb) as given (ebay text, etsy text)
       join channel_listing on user_id = $<user_id> and seller_account_uid = $<etsy> and listing_id = given.etsy`,
      {
        ...{ user_id: account.user_id, shop: shops.ebay, etsy: shops.etsy },
        items: JSON.stringify(market.started.sellers[index]?.items),
      },
    )
  }
}

/** Inserts the rows of five copied photos of each item, with their hashes. */
async function copyPhotos(): Promise<void> {
  await db.none(
    `with photo as (
       select user_id, uid, number, sha256((uid || number)::bytea) as hash
       from inventory_item cross join generate_series(1, 5) as number
     ),
     hashed as (
       insert into photo_hash (user_id, url_hash, hash) select user_id, hash, substring(hash for 8) from photo
     )
     insert into image (user_id, uid, original_hash, type, width, height, bytes, stored_at)
     select user_id, 'img_' || substring(encode(hash, 'hex') for 22), hash, 'image/jpeg', 1600, 1200, 250000, now() from photo`,
  )
}

async function takenDown(count: number): Promise<void> {
  for (let waited = 0; waited < 300; waited++) {
    const { down } = await db.one<{ down: number }>(
      "select count(*)::integer as down from listing_operation where cause = 'sale' and state = 'done'",
    )
    if (down >= count) return
    await delay(500)
  }
  throw new Error('not all sold items were taken down')
}

/** Lets the imports grow old, purges, and says what is left of them. */
async function reportRetention(): Promise<void> {
  await db.none(
    `update import_job set completed_at = completed_at - interval '31 days', created_at = created_at - interval '31 days'`,
  )
  await db.none(`update import_item set processed_at = processed_at - interval '31 days'`)
  const read = await count('select count(*)::integer as count from import_item')
  await purge(db)
  const left = await count('select count(*)::integer as count from import_item')
  say(`\nAfter 30 days, of ${read} items of two imports ${left} are left.`)
}

async function count(query: string): Promise<number> {
  return (await db.one<{ count: number }>(query)).count
}

async function sizes(): Promise<Sizes> {
  await db.none('vacuum analyze')
  // Its list of new words keeps up to 4 MB of pages, which would count as bytes of these few items.
  await db.none('reindex index inventory_item_search_idx')
  const tables = await db.any<{ name: string; bytes: number; index_bytes: number }>(
    `select relname as name, pg_total_relation_size(oid) as bytes, pg_indexes_size(oid) as index_bytes
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const counted = await Promise.all(
    tables.map(async ({ name, bytes, index_bytes }): Promise<[string, TableSize]> => {
      const { rows } = await db.one<{ rows: number }>('select count(*)::integer as rows from $1:name', [name])
      return [name, { rows, bytes, indexBytes: index_bytes }]
    }),
  )
  return new Map(counted)
}

/** Says what each of `times` things added to the tables since `before`. Returns the sizes now. */
async function report(thing: string, times: number, before: Sizes): Promise<Sizes> {
  const now = await sizes()
  const grown = [...now].map(([name, { rows, bytes, indexBytes }]) => {
    const old = before.get(name) ?? { rows: 0, bytes: 0, indexBytes: 0 }
    return { name, rows: rows - old.rows, bytes: bytes - old.bytes, indexBytes: indexBytes - old.indexBytes }
  })
  const whole = grown.reduce((sum, { bytes }) => sum + bytes, 0)
  say(`${thing}: ${(whole / times).toFixed(0)} bytes (${times} measured)`)
  for (const { name, rows, bytes, indexBytes } of grown.toSorted((one, other) => other.bytes - one.bytes)) {
    if (bytes / times < 10) continue
    const each =
      rows > 0 ? `${(bytes / rows).toFixed(0)} a row, ${((100 * indexBytes) / bytes).toFixed(0)} % indexes` : 'updates'
    say(`  ${(bytes / times).toFixed(0).padStart(6)}  ${name}: ${(rows / times).toFixed(2)} rows, ${each}`)
  }
  return now
}
