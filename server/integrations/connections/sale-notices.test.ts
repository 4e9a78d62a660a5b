import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { NoticeTarget } from '#server/integrations/port.ts'
import { connectionsJobs } from './jobs.ts'
import { ensureSaleNotices } from './sale-notices.ts'
import { connectShop } from './testing/connect.ts'
import { startTestPlatform } from './testing/platform.ts'

let server: TestServer
let api: Api
let account: TestAccount
let state: 'subscribed' | 'consent_needed' | Error = 'subscribed'
const targets: NoticeTarget[] = []
let close: () => Promise<unknown>
beforeAll(async () => {
  const ebay = await startTestPlatform({ slug: 'ebay' })
  const notices = {
    async ensure(_access: unknown, target: NoticeTarget) {
      targets.push(target)
      if (state instanceof Error) throw state
      return state
    },
  }
  server = await startTestServer({
    works: false,
    platforms: [{ ...ebay.adapter, notices }],
    environment: {
      EBAY_VERIFICATION_TOKEN: 'a-verification-token-of-forty-characters',
      OPERATOR_EMAIL: 'ops@example.com',
    },
  })
  api = apiOf(server.url)
  account = await buildAccount(server.services.db)
  await connectShop(server.url, account, 'ebay')
  close = async () => {
    await server.close()
    await ebay.close()
  }
})
afterAll(() => close?.())

const shown = async () => (await api('GET', '/api/v1/seller-accounts/', { headers: account.bearer })).body[0]
const age = (hours: number) =>
  server.services.db.none(
    "update seller_account set notices_checked_at = notices_checked_at - $1 * interval '1 hour'",
    hours,
  )

it('subscribes a connected shop at once and then daily', async () => {
  expect(await ensureSaleNotices(server.services)).toBe(1)
  expect(targets).toEqual([
    {
      endpoint: `${server.services.config.PUBLIC_URL}/webhooks/ebay/`,
      verificationToken: 'a-verification-token-of-forty-characters',
      alertEmail: 'ops@example.com',
    },
  ])
  expect(await shown()).toMatchObject({ sale_notices: 'subscribed' })
  expect(await ensureSaleNotices(server.services)).toBe(0)
  await age(25)
  expect(await ensureSaleNotices(server.services)).toBe(1)
})

it('checks the endpoint of all shops each hour', async () => {
  const endpoint = connectionsJobs(server.services).find(({ queue }) => queue === 'connections-endpoint')!
  expect(endpoint.everySeconds).toBe(3_600)
  const checks = async () => {
    const before = targets.length
    await endpoint.run({}, new AbortController().signal)
    return targets.length - before
  }
  expect(await checks()).toBe(0)
  await age(1.01)
  expect(await ensureSaleNotices(server.services)).toBe(0)
  expect(await checks()).toBe(1)
})

it('shows that the consent lacks the permission', async () => {
  state = 'consent_needed'
  await age(25)
  await ensureSaleNotices(server.services)
  expect(await shown()).toMatchObject({ status: 'connected', sale_notices: 'consent_needed' })
  state = 'subscribed'
  await connectShop(server.url, account, 'ebay')
  expect(await shown()).toMatchObject({ sale_notices: null })
  await ensureSaleNotices(server.services)
  expect(await shown()).toMatchObject({ sale_notices: 'subscribed' })
})

it('retries a failed subscription in an hour', async () => {
  state = new Error('eBay is away')
  await age(25)
  await ensureSaleNotices(server.services)
  expect(await shown()).toMatchObject({ sale_notices: 'subscribed' })
  expect(await ensureSaleNotices(server.services)).toBe(0)
  await age(2)
  expect(await ensureSaleNotices(server.services)).toBe(1)
})

it('sends one mail each time the consent starts to be too old', async () => {
  const mails = () =>
    server.services.db.any("select from outbox_message where user_id = $1 and template = 'sale-notices'", [
      account.user_id,
    ])
  await server.services.db.none("update app_user set email = 'seller@example.com' where id = $1", [account.user_id])
  await server.services.db.none("delete from outbox_message where template = 'sale-notices'")
  const check = async (now: typeof state) => {
    state = now
    await age(25)
    await ensureSaleNotices(server.services)
    return (await mails()).length
  }
  expect(await check('subscribed')).toBe(0)
  expect(await check('consent_needed')).toBe(1)
  expect(await check('consent_needed')).toBe(1)
  expect(await check(new Error('eBay is down'))).toBe(1)
  expect(await check('consent_needed')).toBe(1)
  await check('subscribed')
  expect(await check('consent_needed')).toBe(2)
})

it('tells the seller once when eBay refuses what worked before', async () => {
  const mails = () =>
    server.services.db.any("select from outbox_message where user_id = $1 and template = 'sale-notices-refused'", [
      account.user_id,
    ])
  await server.services.db.none("update app_user set email = 'seller@example.com' where id = $1", [account.user_id])
  const check = async (now: typeof state) => {
    state = now
    await age(25)
    await ensureSaleNotices(server.services)
    return { mails: (await mails()).length, sale_notices: (await shown()).sale_notices }
  }
  expect(await check('subscribed')).toEqual({ mails: 0, sale_notices: 'subscribed' })
  // An outage passes.
  const away = new PlatformError('ebay', 'unavailable', 'eBay is away.')
  expect(await check(away)).toEqual({ mails: 0, sale_notices: 'subscribed' })
  const refused = new PlatformError('ebay', 'refused', 'eBay refused the subscription: Invalid destination id.')
  expect(await check(refused)).toEqual({ mails: 1, sale_notices: null })
  expect(await check(refused)).toEqual({ mails: 1, sale_notices: null })
  // The hourly retry repairs it, without waiting for the next day.
  state = 'subscribed'
  await age(2)
  expect(await ensureSaleNotices(server.services)).toBe(1)
  expect(await shown()).toMatchObject({ sale_notices: 'subscribed' })
})
