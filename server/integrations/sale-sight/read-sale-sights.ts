import type { Queries } from '#server/infra/db/index.ts'
import type { Platform } from '#shared/contract/connections.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { readMailWitness } from './mail-witness.ts'
import * as sql from './queries.ts'

type SaleSight = NonNullable<Platform['sale_sight']>

/** The slowest first. */
const speeds: readonly SaleSight['speed'][] = ['none', 'browser', 'hours', 'minutes', 'seconds']

type Shop = Awaited<ReturnType<typeof readShops>>[number]
const readShops = (queries: Queries, user_id: number) => queries.any(sql.listSaleWitnesses({ user_id }))

/** Returns how soon a sale on each platform with a shop would be seen now: in the shop where it takes longest. */
export async function readSaleSights(queries: Queries, user_id: number): Promise<Map<PlatformSlug, SaleSight>> {
  const shops = await readShops(queries, user_id)
  const mails = shops.length > 0 ? await readMailWitness(queries, user_id) : new Map<PlatformSlug, string>()
  const sights = new Map<PlatformSlug, SaleSight>()
  for (const shop of shops) {
    const sight = sightOf(shop, mails)
    const before = sights.get(shop.platform)
    if (!before || speeds.indexOf(sight.speed) < speeds.indexOf(before.speed)) sights.set(shop.platform, sight)
  }
  return sights
}

function sightOf(shop: Shop, mails: ReadonlyMap<PlatformSlug, string>): SaleSight {
  const mailAt = mails.get(shop.platform)
  const mail = mailAt === undefined ? [] : [{ by: 'mail' as const, last_at: mailAt }]
  if (!platformOf(shop.platform).capabilities.orders) {
    const page = { by: 'page' as const, last_at: shop.page_read_at }
    return { speed: mail.length > 0 ? 'minutes' : 'browser', seconds: null, witnesses: [page, ...mail] }
  }
  const notice = shop.notices_work ? [{ by: 'notice' as const, last_at: shop.notice_at }] : []
  return {
    speed: speedOf(shop, mail.length > 0),
    seconds: shop.status === 'connected' ? shop.interval_seconds : null,
    witnesses: [
      { by: 'api', last_at: shop.orders_read_at },
      ...notice,
      { by: 'comparison', last_at: shop.compared_at },
      ...mail,
    ],
  }
}

/** A notice and a mail are hints: the order is read through the API, so a shop out of its reach is out of sight. */
function speedOf(shop: Shop, hasMail: boolean): SaleSight['speed'] {
  if (shop.status !== 'connected' || shop.is_late) return 'none'
  if (shop.notices_work) return 'seconds'
  return hasMail || (shop.interval_seconds ?? 0) <= 3_600 ? 'minutes' : 'hours'
}
