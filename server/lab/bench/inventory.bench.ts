import { listItems } from '#server/catalog/inventory/read-items.ts'
import type { Database } from '#server/infra/db/index.ts'
import { buildAccount } from '#server/testing/account.ts'
import { requestText, runLoad } from './load.ts'
import { median, setStage } from './stage.ts'

/**
 * Lists 50 items at several depths of an inventory of 1,000,000, compared with one of 1,000. Wanted: at most 1.2 times
 * the time. Also lists over HTTP, compared with a bare handler of the same query. Wanted: at least 70 % of its rate.
 */
const sizes = { small: 1_000, big: 1_000_000 }
const wanted = { depth: 1.2, handler: 0.7 }

const stage = await setStage(150)
const { db } = stage
let failed = false
try {
  for (const { user_id } of stage.accounts) await fill(db, user_id, 100)
  const small = (await buildAccount(db)).user_id
  const big = (await buildAccount(db)).user_id
  await fill(db, small, sizes.small)
  await fill(db, big, sizes.big)
  await db.none('vacuum analyze')
  await compareDepths(small, big)
  await compareHandlers()
} finally {
  await stage.close()
}
process.exit(failed ? 1 : 0)

async function compareDepths(small: number, big: number): Promise<void> {
  // Alternate, so that other load on the machine affects all alike.
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
  const base = median(times[`${sizes.small} items`]!)
  for (const [name, measured] of Object.entries(times)) {
    const ratio = median(measured) / base
    report(
      `${name}: ${median(measured).toFixed(2)} ms for 50, ${ratio.toFixed(2)} times (wanted: ${wanted.depth})`,
      ratio <= wanted.depth,
    )
  }
}

async function compareHandlers(): Promise<void> {
  const servers = { bare: await stage.serve('bare'), hapax: await stage.serve('hapax') }
  const requests = stage.accounts.map(({ key }) => requestText('GET', '/api/v1/inventory/?page_size=50', key))
  const bareRequests = stage.accounts.map(({ key }) => requestText('GET', '/api/v1/inventory/', key))
  const perSecond = { bare: [] as number[], hapax: [] as number[] }
  let turn = 0
  for (let round = 0; round < 9; round++) {
    for (const kind of round % 2 ? (['hapax', 'bare'] as const) : (['bare', 'hapax'] as const)) {
      const texts = kind === 'bare' ? bareRequests : requests
      const next = () => texts[turn++ % texts.length] as string
      const result = await runLoad({ port: servers[kind].port, connections: 8, seconds: 1, next })
      if (Object.keys(result.statuses).join() !== '200') throw new Error(`${kind}: ${JSON.stringify(result.statuses)}`)
      // The first round warms up.
      if (round > 0) perSecond[kind].push(result.perSecond)
    }
  }
  const [ours, theirs] = [median(perSecond.hapax), median(perSecond.bare)]
  const share = ours / theirs
  report(
    `a page of 50 over HTTP: ${ours.toFixed(0)}/s, bare handler ${theirs.toFixed(0)}/s: ${(share * 100).toFixed(0)} % (wanted: ${wanted.handler * 100} %)`,
    share >= wanted.handler,
  )
}

function report(line: string, reached: boolean): void {
  failed ||= !reached
  console.log(`${line}${reached ? '' : '  MISSED'}`)
}

/** Creates `count` items of a seller, each listed once. */
async function fill(queries: Database, user_id: number, count: number): Promise<void> {
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

/** Returns a cursor at a share of the inventory, slightly different each time. */
function cursorAt(count: number, share: number): string {
  const number = Math.max(60, Math.floor(count * share) - Math.floor(Math.random() * 100))
  return Buffer.from(`inv_${String(number).padStart(22, '0')}`).toString('base64url')
}
