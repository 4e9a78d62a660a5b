import type { PlatformAdapter } from '#server/integrations/port.ts'
import { platformOf } from '#shared/platforms.ts'
import type { Report } from './report.ts'

interface SellerCheck {
  adapter: PlatformAdapter
  /** An access token of the seller. */
  accessToken: string
  report: Report
}

/** Reads a seller's shop. */
export async function checkSeller({ adapter, accessToken, report }: SellerCheck): Promise<void> {
  const { name } = platformOf(adapter.slug)
  const shop = await report.step(
    `${name}: seller`,
    () => adapter.oauth.identify(accessToken),
    ({ external_name }) => external_name,
  )
  if (!shop) return
  const access = { accessToken, shop }
  await report.step(
    `${name}: listings of the shop`,
    async () => adapter.imports.readPage(access, { states: ['active'], cursor: null }),
    ({ total, listings, failures }) =>
      `${total ?? listings.length} on sale, ${failures.length} of the first page not readable`,
  )
  const { orders } = adapter
  if (!orders) return
  const modifiedSince = new Date(Date.now() - 86_400_000).toISOString()
  await report.step(
    `${name}: orders`,
    () => orders.readChanged(access, { modifiedSince, cursor: null }),
    (page) => `${page.orders.length} changed in a day`,
  )
}
