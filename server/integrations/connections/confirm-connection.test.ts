import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { runConfirmation } from './confirm-connection.ts'
import { connectShop, sellerAccounts } from './testing/connect.ts'
import { startTestPlatform, type TestPlatform } from './testing/platform.ts'

let ebay: TestPlatform
let server: TestServer
let account: TestAccount
let shopNumber = 0
beforeAll(async () => {
  ebay = await startTestPlatform()
  server = await startTestServer({ works: false, platforms: [ebay.adapter] })
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
})
beforeEach(async () => {
  account = await buildAccount(server.services.db)
  ebay.seller = { id: `E-${++shopNumber}`, name: `shop_${shopNumber}` }
  ebay.before = async () => {}
  await connectShop(server.url, account, 'ebay')
})

const shop = async () => (await sellerAccounts(server.url, account))[0]!
const confirm = async () =>
  runConfirmation(server.services, { user_id: account.user_id, seller_account_uid: (await shop()).uid })

it('ends a connection without consent and deletes its tokens', async () => {
  ebay.revokeAll()
  await confirm()
  expect((await shop()).status).toBe('reconnect_required')
  expect(
    await server.services.db.one(
      'select encrypted_access_token, encrypted_refresh_token from seller_account where user_id = $1',
      [account.user_id],
    ),
  ).toEqual({ encrypted_access_token: null, encrypted_refresh_token: null })
  expect(
    await server.services.db.any("select from event where user_id = $1 and type = 'connection.lost'", [
      account.user_id,
    ]),
  ).toHaveLength(1)
})

it('keeps a connection that was made after the revocation', async () => {
  ebay.revokeAll()
  await connectShop(server.url, account, 'ebay')
  await confirm()
  expect((await shop()).status).toBe('connected')
})

it('throws while the platform does not answer', async () => {
  ebay.before = async () => {
    throw 503
  }
  await expect(confirm()).rejects.toMatchObject({ failure: 'unavailable' })
  expect((await shop()).status).toBe('connected')
})
