import { setTimeout as delay } from 'node:timers/promises'
import type { TestAccount } from '#e2e/harness/account.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/infra/db/index.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { setImportStage } from './import-stage.ts'
import { createSellers, openHapax, openMarket, saleEnvironment } from './sale-stage.ts'

/** Sales one at a time, by turns with the calls that they need. */
interface SaleTurns {
  /** The ports of Hapax, its database, and the accounts of the sellers. */
  port: number
  smtpPort: number
  db: Database
  accounts: TestAccount[]
  /** Sells an item on one platform, and returns the ms until its listing on the other has ended. */
  takenDown(): Promise<number>
  /** Returns the ms of the two calls alone, by the same adapters: read the order, end the other listing. */
  callsAlone(): Promise<number>
  close(): Promise<void>
}

/** Starts PostgreSQL, the sandbox platforms and Hapax, each in a process of its own, with five sellers. */
export async function openSales(more: Record<string, string> = {}, itemsEach = 100): Promise<SaleTurns> {
  const stage = await setImportStage()
  const market = await openMarket({
    sellers: 5,
    itemsEach,
    etsy: { perSecond: 500, perDay: 100_000_000 },
    ebayTradingPerDay: 1_500_000,
  })
  const { started } = market
  const environment = { ...saleEnvironment(stage.services, started), ...more }
  const accounts = await createSellers(stage.services, started)
  const limits = { etsyPerSecond: 500, ebayTradingPerDay: 1_500_000 }
  const hapax = await openHapax({ environment, keysUrl: started.keysUrl, ...limits })
  const platforms = createPlatforms({ config: readConfig(environment), fetch })
  const { db } = stage.services
  // The first reading of each shop would compete with the measured sales.
  while ((await db.one('select count(*)::integer as left from order_sync where last_success_at is null')).left > 0)
    await delay(200)
  let seed = 1
  const buy = async (hapaxUrl: string | null) => {
    const [bought] = await market.sell({ hapaxUrl, sales: 1, perSecond: 10_000, seed: seed++ })
    if (!bought) throw new Error('nothing was bought')
    return bought
  }
  return {
    ...{ port: Number(new URL(hapax.url).port), smtpPort: hapax.smtpPort, db, accounts },
    async takenDown() {
      const { order } = await buy(hapax.url)
      for (;;) {
        const row = await db.oneOrNone<{ ms: number }>(
          `select extract(epoch from operation.accepted_at - operation.seen_at)::float8 * 1000 as ms
           from listing_operation operation
           join marketplace_order on marketplace_order.user_id = operation.user_id
             and marketplace_order.uid = operation.cause_ref
           where operation.kind = 'delist' and operation.confirmed_at is not null
             and marketplace_order.external_order_id = $1`,
          [order],
        )
        if (row) return row.ms
        await delay(10)
      }
    },
    async callsAlone() {
      const { platform, order, seller, item } = await buy(null)
      const other = platform === 'ebay' ? 'etsy' : 'ebay'
      const access = (slug: OAuthSlug) => {
        const { external_id, name, grant } = started.sellers[seller]![slug]
        return { accessToken: grant.access_token, shop: { external_id, external_name: name, url: '' } }
      }
      const startedMs = performance.now()
      await platforms.get(platform)?.orders?.readOrder(access(platform), order)
      await platforms.get(other)?.listings?.withdraw(access(other), { listing_id: item[other], externalKey: null })
      return performance.now() - startedMs
    },
    async close() {
      await hapax.stop()
      market.close()
      await stage.close()
    },
  }
}
