import { expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer } from '#e2e/harness/server.ts'
import { connectionsJobs } from './jobs.ts'
import { connectShop, sellerAccounts } from './testing/connect.ts'
import { startTestPlatform } from './testing/platform.ts'

it('checks connections periodically', async () => {
  const etsy = await startTestPlatform({ slug: 'etsy', pkce: true, rotating: true })
  const server = await startTestServer({ works: true, platforms: [etsy.adapter] })
  try {
    const account = await buildAccount(server.services.db)
    await connectShop(server.url, account, 'etsy')
    etsy.counts.identify = 0
    const age = () => server.services.db.none("update seller_account set last_checked_at = now() - interval '2 days'")
    for (const kind of connectionsJobs(server.services).filter(({ everySeconds }) => everySeconds !== undefined))
      await server.services.jobs.register({ ...kind, queue: `${kind.queue}-often`, everySeconds: 1 })
    const checks = async () => {
      await age()
      return etsy.counts.identify
    }
    await expect.poll(checks, { interval: 200 }).toBeGreaterThan(1)
    expect((await sellerAccounts(server.url, account))[0]!.status).toBe('connected')
  } finally {
    await server.close()
    await etsy.close()
  }
})
