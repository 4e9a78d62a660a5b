import { setTimeout as delay } from 'node:timers/promises'
import { interceptStatements } from '#e2e/harness/campaigns/borders.ts'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { type Database, isDatabaseUnavailable } from '#server/infra/db/index.ts'
import type { SaleOutcome } from '#server/selling/sales/decide-sale.ts'
import type { ReportedOrder } from '#server/selling/sales/observed-sale.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'

export interface Contention {
  /** Total sale attempts. */
  attempts: number
  /** Concurrent clients. */
  clients: number
  seed: number
  /** Takes the guards out of the statements on their way and drops the database's constraints, which must be caught. */
  mutant?: boolean
  /** Called every 1,000 attempts. */
  onProgress?: (done: number) => void
}

interface ContentionResult {
  attempts: number
  /** How the attempts ended. */
  outcomes: Partial<Record<SaleOutcome, number>>
  items: number
  /** Items that were sold twice. */
  soldTwice: { item_uid: string; sales: number }[]
  /** Number of attempts after which the first one was found. */
  foundAfter: number | null
  seconds: number
}

/** Attempts for one item. */
const attemptsPerItem = 16
const users = 32
const platforms = ['ebay', 'etsy'] as const

/** The parts of statements that make a sale safe, and what they become: the lock on its items, the condition of their move. */
const guards: [RegExp, string][] = [
  [/(?<=from inventory_item\nwhere user_id = \$1 and uid = any\(\$2\)\norder by uid)\nfor no key update/, ''],
  [/ and state = (\$\d) and version = (\$\d)/, ' and $1::text <> $2::integer::text'],
]

interface Target {
  user_id: number
  item_uid: string
  left: number
  orders: ReportedOrder[]
}

/**
 * Lets many clients buy few items concurrently, through the product's own code on a real database. Orders of two
 * platforms compete for one item; some are cancelled and some reported twice. Then looks for items with two live sales.
 * The seed determines the random choices, but not the interleaving of the clients.
 */
export async function contend(
  db: Database,
  { attempts, clients, seed, ...options }: Contention,
): Promise<ContentionResult> {
  const random = randomFrom(seed)
  if (options.mutant) {
    await dropConstraints(db)
    interceptStatements(db, async (text) => guards.reduce((left, guard) => left.replace(...guard), text))
  }
  const sellers = await buildSellers(db)
  const outcomes: ContentionResult['outcomes'] = {}
  const startedMs = performance.now()
  let begun = 0
  let items = 0
  let soldTwice: ContentionResult['soldTwice'] = []
  let foundAfter: number | null = null
  // Half as many items as clients are for sale at a time, so that clients collide.
  const open: Target[] = []
  const refill = async () => {
    while (open.length < clients / 2) {
      const number = ++items
      const user = sellers[(number - 1) % sellers.length]!
      open.push({
        user_id: user.user_id,
        item_uid: await withRetry(() => buildItem(db, user, number)),
        left: attemptsPerItem,
        orders: [],
      })
    }
  }
  await refill()

  async function client(): Promise<void> {
    while (begun < attempts && foundAfter === null) {
      const number = begun++
      const target = open[Math.floor(random() * open.length)]!
      if (--target.left <= 0) {
        open.splice(open.indexOf(target), 1)
        await refill()
      }
      const order = nextOrder(target, sellers, number, random)
      const evidence = { by: 'poll', seen_at: order.ordered_at } as const
      const { lines } = await recordSale(db, target.user_id, { order, evidence })
      for (const { outcome } of lines) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if (number % 1_000 === 999) {
        options.onProgress?.(number + 1)
        await findDoubleSales(number + 1)
      }
    }
  }
  async function findDoubleSales(after: number): Promise<void> {
    soldTwice = await db.any(
      'select item_uid, count(*)::integer as sales from sale where not cancelled group by item_uid having count(*) > 1',
    )
    if (soldTwice.length > 0) foundAfter ??= after
  }
  await Promise.all(Array.from({ length: clients }, client))
  await findDoubleSales(begun)
  return { attempts: begun, outcomes, items, soldTwice, foundAfter, seconds: (performance.now() - startedMs) / 1000 }
}

/** Retries work while the database is unavailable, as a worker does. */
async function withRetry<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempt > 20) throw error
      await delay(500)
    }
  }
}

/** Returns a new order for the item, a repeated one, or a cancellation. */
function nextOrder(target: Target, sellers: Seller[], number: number, random: () => number): ReportedOrder {
  const earlier = target.orders[Math.floor(random() * target.orders.length)]
  const chance = random()
  if (earlier && chance < 0.1) return earlier
  if (earlier && chance < 0.2) {
    return {
      ...earlier,
      modified_at: new Date(Date.parse(earlier.modified_at) + 1_000).toISOString(),
      lines: earlier.lines.map((line) => ({ ...line, status: 'cancelled' })),
    }
  }
  const platform = platforms[Math.floor(random() * platforms.length)]!
  const at = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString()
  const order: ReportedOrder = {
    platform,
    seller_account_uid: sellers.find(({ user_id }) => user_id === target.user_id)!.shops[platform],
    external_order_id: `order-${number}`,
    source: 'platform',
    ordered_at: at,
    modified_at: at,
    lines: [
      {
        external_line_id: '1',
        listing_id: `${platform}-${target.item_uid}`,
        sku: null,
        quantity: 1,
        price_minor: 1_000,
        currency: 'USD',
        status: 'paid',
      },
    ],
  }
  target.orders.push(order)
  return order
}

interface Seller {
  user_id: number
  shops: Record<(typeof platforms)[number], string>
}

async function buildSellers(db: Database): Promise<Seller[]> {
  const rows = await db.any<{ id: number }>(
    `insert into app_user (username) select 'contender-' || n || '-' || gen_random_uuid()
     from generate_series(1, $1) n returning id`,
    [users],
  )
  return Promise.all(
    rows.map(async ({ id }) => {
      const shops = { ebay: `sel_ebay_${id}`, etsy: `sel_etsy_${id}` }
      for (const platform of platforms) {
        await db.none(
          `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
           values ($1, $2, $3, $2, 'contender', 'https://example.com/', 'connected')`,
          [id, shops[platform], platform],
        )
      }
      return { user_id: id, shops }
    }),
  )
}

async function buildItem(db: Database, seller: Seller, number: number): Promise<string> {
  const uid = `inv_${String(number).padStart(22, '0')}`
  await db.tx('contended-item', async (tx) => {
    await tx.none(
      `insert into inventory_item (user_id, uid, product_id, offer_id, title, images, condition_label, inspected_at,
         price_minor, currency, state, observed_at, seller_url, shipping_policy_url, returns_policy_url)
       values ($1, $2, $2, $2, 'A contended thing', '{https://example.com/1.jpg}', 'Used', '2026-01-02', 1000, 'USD',
         'available', now(), 'https://example.com/', 'https://example.com/', 'https://example.com/')`,
      [seller.user_id, uid],
    )
    await tx.none(
      `insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
       values ($1, $2, 1, 'import', 'available', 'Contended')`,
      [seller.user_id, uid],
    )
    for (const platform of platforms) {
      await tx.none(
        `insert into channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, url, state, price_minor,
           currency, observed_at)
         values ($1, $2, $3, $4, $5, 'https://example.com/', 'available', 1000, 'USD', now())`,
        [seller.user_id, seller.shops[platform], `${platform}-${uid}`, uid, platform],
      )
    }
  })
  return uid
}

/** Removes the database's own constraints, so that the mutant can show its effect. */
async function dropConstraints(db: Database): Promise<void> {
  await db.none('drop index if exists sale_live_key')
  await db.none('drop index if exists order_line_holder_key')
  await db.none('drop trigger if exists inventory_item_move on inventory_item')
  await db.none('alter table inventory_history drop constraint if exists inventory_history_pkey')
  await db.none('alter table order_line drop constraint if exists order_line_check2')
}
