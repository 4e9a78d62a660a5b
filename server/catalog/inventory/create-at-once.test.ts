import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { openConnections } from '#e2e/harness/database/open-connections.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { closeDatabase, openDatabase, requestTimeouts } from '#server/infra/db/index.ts'

/** The server over a connection pool with the timeouts of requests. */
let database: TestDatabase
let server: TestServer
beforeAll(async () => {
  const made = await createTestDatabase()
  const db = openDatabase({ url: made.url, timeouts: requestTimeouts, max: 20 })
  database = { ...made, db, drop: () => closeDatabase(db).then(() => made.drop()) }
  server = await startTestServer({ works: false, database })
})
afterAll(() => server?.close())
// Only writes may be slow here, so connect in advance on a busy machine.
beforeEach(() => openConnections(database.db, 20))

/** Makes each insert of an item take this long. */
async function slowDown(seconds: number) {
  await database.db.none(`
    create or replace function slow_down() returns trigger language plpgsql as $$
    begin perform pg_sleep(${seconds}); return null; end $$;
    create or replace trigger slow_down after insert on inventory_item for each row execute function slow_down()`)
}
afterEach(() => database.db.none('drop trigger if exists slow_down on inventory_item'))

const create = (account: TestAccount, title: string) =>
  apiOf(server.url)('POST', '/api/v1/inventory/', {
    headers: account.key,
    body: {
      title,
      images: ['https://pictures.example/1.jpg'],
      condition: { label: 'Good', notes: '' },
      offer: { price_minor: 1_000, currency: 'USD' },
    },
  })
const createMany = (account: TestAccount, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => create(account, `Thing ${index}`)))
const count = (account: TestAccount) =>
  database.db.one('select count(*) from inventory_item where user_id = $1', [account.user_id])

describe('items of one account created at once', () => {
  it('are all created, however slow the disk is', async () => {
    const account = await buildAccount(database.db)
    await slowDown(0.3)
    const replies = await createMany(account, 20)
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(await count(account)).toEqual({ count: 20 })
  })

  it('leave connections for everybody else', async () => {
    const [account, other] = [await buildAccount(database.db), await buildAccount(database.db)]
    await slowDown(0.1)
    const creating = createMany(account, 60)
    await create(other, 'Of another')
    expect(database.db.$pool.waitingCount).toBe(0)
    const statuses = (await creating).map(({ status }) => status)
    expect(statuses).toEqual(Array(60).fill(201))
  })

  it('are refused beyond the queue, with Retry-After', async () => {
    const account = await buildAccount(database.db)
    await slowDown(0.1)
    const replies = await createMany(account, 100)
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, headers } of refused) {
      expect(status).toBe(503)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await count(account)).toEqual({ count: replies.length - refused.length })
  })
})
