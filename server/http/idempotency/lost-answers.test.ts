import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { type CommitCutter, startCommitCutter } from '#e2e/harness/campaigns/commit-cutter.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { createUsageRecorder } from '#server/http/usage-recorder.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { closeDatabase, type Database, openDatabase } from '#server/infra/db/index.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { buildListedItem } from '#server/selling/sales/testing/sell.ts'

let database: TestDatabase
let cutter: CommitCutter
/** A connection through the cutter. */
let cut: Database
let server: TestServer
let api: Api
beforeAll(async () => {
  database = await createTestDatabase()
  cutter = await startCommitCutter(database.url)
  cut = openDatabase({ url: cutter.url, max: 4 })
  server = await startTestServer({
    works: false,
    database: { ...database, db: cut },
    // Usage and audit trail commit at their own times and must not be cut.
    prepare: async (services) => {
      services.usage = createUsageRecorder({ ...services, db: database.db })
      services.audit = createAuditTrail({ ...services, db: database.db, keptDays: 1 })
    },
  })
  api = apiOf(server.url)
})
afterAll(async () => {
  if (cut) await closeDatabase(cut)
  await cutter?.close()
  await server?.close()
})

let account: TestAccount
beforeEach(async () => {
  account = await buildAccount(database.db)
})

const post = (path: string, body?: object) =>
  api('POST', path, { headers: { ...account.bearer, 'idempotency-key': 'once' }, ...(body ? { body } : {}) })
const rowsOf = async (table: string): Promise<number> =>
  (await database.db.one(`select count(*) from ${table} where user_id = $1`, [account.user_id])).count

/**
 * Sends a request while the response of the next commit is lost, then repeats it under the same key. Returns the second
 * response.
 */
async function sendTwice(path: string, body?: object, between = async () => {}) {
  const before = cutter.cut
  cutter.cutNext(1)
  expect(await post(path, body)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(cutter.cut - before).toBe(1)
  await between()
  const again = await post(path, body)
  const third = await post(path, body)
  expect({ ...third.body, request_id: '' }).toEqual({ ...again.body, request_id: '' })
  return again
}

const item = {
  title: 'Rangefinder camera',
  images: ['https://example.com/camera.jpg'],
  condition: { label: 'good' },
  offer: { price_minor: 12_000, currency: 'USD' },
}
const webhook = { url: 'https://example.com/hook' }
const shop = { username: 'vera', url: 'https://poshmark.com/closet/vera' }

describe("a request repeated after its commit's response was lost", () => {
  it('creates one item and returns its first record', async () => {
    const { status, body } = await sendTwice('/api/v1/inventory/', item)
    expect([status, await rowsOf('inventory_item'), await rowsOf('event')]).toEqual([201, 1, 1])
    expect(await database.db.one('select uid from inventory_item where user_id = $1', [account.user_id])).toEqual({
      uid: body.uid,
    })
  })

  it('creates one bulk job', async () => {
    const body = { uids: [`inv_${'a'.repeat(22)}`], platforms: ['ebay'] }
    expect((await sendTwice('/api/v1/inventory/bulk/delist/', body)).status).toBe(202)
    expect(await rowsOf('bulk_job')).toBe(1)
  })

  it('creates one import, even if it has ended meanwhile', async () => {
    const end = async () => {
      await database.db.none(
        "update import_job set status = 'failed', error_message = 'x', completed_at = now() where user_id = $1",
        [account.user_id],
      )
    }
    expect((await sendTwice('/api/v1/extension/imports/', { platform: 'poshmark', shop }, end)).status).toBe(201)
    expect(await rowsOf('import_job')).toBe(1)
  })

  it.each([
    ['API key', '/api/v1/api-keys/', { name: 'mine' }, 'api_key'],
    ['webhook address', '/api/v1/webhooks/', webhook, 'webhook_endpoint'],
  ])('creates one %s, without showing its secret', async (_name, path, body, table) => {
    const before = await rowsOf(table)
    expect(await sendTwice(path, body)).toMatchObject({ status: 409, body: { code: 'secret_already_shown' } })
    expect((await rowsOf(table)) - before).toBe(1)
  })

  it('sends one test event', async () => {
    const { uid } = (await api('POST', '/api/v1/webhooks/', { headers: account.bearer, body: webhook })).body
    expect((await sendTwice(`/api/v1/webhooks/${uid}/test/`)).status).toBe(202)
    expect(await rowsOf('webhook_delivery')).toBe(1)
  })

  it('undoes a sale and reports that instead of 409', async () => {
    const { item_uid } = await buildListedItem(database.db, { user_id: account.user_id, shops: {} })
    await markSoldInPerson({ db: database.db, now: () => new Date() }, { user_id: account.user_id, item_uid })
    expect(await sendTwice(`/api/v1/inventory/${item_uid}/mark-unsold/`, {})).toMatchObject({
      status: 200,
      body: { uid: item_uid, state: 'available' },
    })
  })
})
