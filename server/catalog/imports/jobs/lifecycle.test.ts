import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { connectionHooks } from '#server/rooms.ts'
import { resumeImport, stopImports } from '../connection-hooks.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { sweepImports } from './sweep.ts'

const jobs = '/api/v1/marketplace/import/jobs/'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  Object.assign(harness.ebay, { before: () => {}, pageSize: 50, shop: [], calls: [] })
  seller = await harness.seller()
})

const age = (uid: string, interval: string) =>
  harness.server.services.db.none(
    'update import_job set touched_at = now() - $2::interval, created_at = now() - $2::interval where uid = $1',
    [uid, interval],
  )

/** Connects the shop again. */
async function reconnect(): Promise<void> {
  const { services } = harness.server
  const shop = await services.db.one('select external_id, external_name, url from seller_account where uid = $1', [
    seller.shop,
  ])
  const grant = {
    access_token: 'fake-access-2',
    refresh_token: 'fake-refresh-2',
    expires_in_seconds: 7_200,
    refresh_expires_in_seconds: null,
    scopes: [],
  }
  await storeConnection(services, { user_id: seller.account.user_id, platform: 'ebay', shop, grant })
}

describe('an import and its connection', () => {
  it('has its connection hooks registered', () => {
    expect(connectionHooks().disconnected).toContain(stopImports)
    expect(connectionHooks().resumed).toContain(resumeImport)
  })

  it('resumes by itself when the shop is reconnected', async () => {
    harness.ebay.pageSize = 5
    harness.ebay.shop = Array.from({ length: 12 }, () => buildListing())
    harness.ebay.before = (call) => {
      if (call.kind === 'page' && call.cursor === '5') throw new PlatformError('ebay', 'reconnect', 'grant is gone')
    }
    const broken = await seller.import()
    expect(broken).toMatchObject({ status: 'failed', items_imported: 5 })
    harness.ebay.before = () => {}
    await reconnect()
    const [next] = (await seller.call('GET', jobs)).body
    expect(next.id).not.toBe(broken.id)
    expect(await seller.settled(next.id)).toMatchObject({ status: 'completed', items_imported: 7, items_skipped: 5 })
    expect(await seller.inventory()).toHaveLength(12)
  })

  it('ends when the seller stops it, and keeps what was imported', async () => {
    harness.ebay.pageSize = 5
    harness.ebay.shop = Array.from({ length: 12 }, () => buildListing())
    harness.ebay.before = (call) => {
      if (call.kind === 'page' && call.cursor === '5') throw new PlatformError('ebay', 'unavailable', 'no answer')
    }
    const made = await seller.call('POST', `${jobs}create/`, { seller_account_uid: seller.shop, marketplace: 'ebay' })
    const { id } = made.body
    await seller.until(
      () => seller.job(id),
      ({ retry, items_imported }) => retry !== null && items_imported === 5,
    )
    const stopped = await seller.call('POST', `${jobs}${id}/stop/`)
    const end = { status: 'failed', error_message: 'You stopped it. Listings imported until then stay.' }
    expect(stopped).toMatchObject({ status: 200, body: { ...end, items_imported: 5, retry: null } })
    expect(await seller.inventory()).toHaveLength(5)
    // An import that is over stays as it is.
    expect((await seller.call('POST', `${jobs}${id}/stop/`)).body).toMatchObject(end)
    harness.ebay.before = () => {}
    const done = await seller.import()
    expect((await seller.call('POST', `${jobs}${done.id}/stop/`)).body).toMatchObject({ status: 'completed' })
  })

  it('fails when the shop is disconnected', async () => {
    const reply = await seller.call('POST', `${jobs}create/`, {
      seller_account_uid: seller.shop,
      marketplace: 'ebay',
      auto_start: false,
    })
    const disconnect = await harness.api('DELETE', `/api/v1/seller-accounts/${seller.shop}/`, {
      headers: seller.account.bearer,
    })
    expect(disconnect.status).toBe(204)
    expect(await seller.settled(reply.body.id)).toMatchObject({
      status: 'failed',
      error_message: 'The eBay shop was disconnected.',
    })
  })
})

describe('an action on a finished import', () => {
  const count = 12
  let job: string
  /** Imports a shop with unreadable listings, which can be read from now on. */
  beforeEach(async () => {
    const listings = Array.from({ length: count }, () => buildListing())
    harness.ebay.shop = listings.map(({ listing_id }) => ({
      ...{ listing_id, error_code: 'fetch_failed', error_message: 'eBay did not answer for it.' },
    }))
    const done = await seller.import()
    expect(done).toMatchObject({ status: 'completed', items_failed: count })
    job = done.id
    harness.ebay.shop = listings
  })
  const retry = async () => expect((await seller.call('POST', `${jobs}${job}/retry-failed/`)).status).toBe(202)
  /** Ends the grant after this many listings were read again. */
  const loseAfter = (read: number) => {
    let left = read
    harness.ebay.before = (call) => {
      if (call.kind === 'one' && left-- <= 0) throw new PlatformError('ebay', 'reconnect', 'grant is gone')
    }
  }
  const untilLost = () =>
    seller.until(
      () =>
        harness.server.services.db.one(
          `select shop.status = 'reconnect_required' and job.lease_until is null as idle
           from import_job job join seller_account shop on shop.uid = job.seller_account_uid where job.uid = $1`,
          [job],
        ),
      ({ idle }) => idle,
    )
  const reported = () =>
    harness.server.services.db.map(
      "select data from event where user_id = $1 and type = 'import.failed' order by seq",
      [seller.account.user_id],
      ({ data }) => [data.id, data.error_message],
    )

  it('waits for a lost connection and resumes by itself', async () => {
    loseAfter(5)
    await retry()
    await untilLost()
    expect(await seller.job(job)).toMatchObject({ status: 'in_progress', items_imported: 5, items_failed: count - 5 })
    harness.ebay.before = () => {}
    await reconnect()
    expect(await seller.settled(job)).toMatchObject({ status: 'completed', items_imported: count, items_failed: 0 })
    expect(await seller.inventory()).toHaveLength(count)
    expect(await reported()).toEqual([])
  })

  it('fails with its reason when the shop is disconnected', async () => {
    loseAfter(5)
    await retry()
    await untilLost()
    await harness.api('DELETE', `/api/v1/seller-accounts/${seller.shop}/`, { headers: seller.account.bearer })
    expect(await seller.settled(job)).toMatchObject({ status: 'completed', items_failed: count - 5 })
    expect(await reported()).toEqual([[job, 'The eBay shop was disconnected.']])
  })

  it('tells the seller why it failed', async () => {
    await harness.server.services.db.none('update import_job set failures = 4 where uid = $1', [job])
    harness.ebay.before = () => {
      throw new Error('a fault of ours')
    }
    await retry()
    expect(await seller.settled(job)).toMatchObject({ status: 'completed', items_failed: count })
    expect(await reported()).toEqual([[job, expect.stringMatching(/went wrong on our side/)]])
  })
})

describe('an idle import', () => {
  it('of the extension fails after a day and can be restarted', async () => {
    const shop = { username: 'left_alone', url: 'https://poshmark.com/closet/left_alone' }
    const begin = () => seller.call('POST', '/api/v1/extension/imports/', { platform: 'poshmark', shop })
    const { id } = (await begin()).body
    await age(id, '23 hours')
    await sweepImports(harness.server.services)
    expect(await seller.job(id)).toMatchObject({ status: 'pending' })
    await age(id, '25 hours')
    await sweepImports(harness.server.services)
    expect(await seller.job(id)).toMatchObject({
      status: 'failed',
      error_message: expect.stringMatching(/start it again/),
    })
    expect((await begin()).status).toBe(201)
  })

  it('that was never started fails after 30 days', async () => {
    const created = await seller.call('POST', `${jobs}create/`, {
      seller_account_uid: seller.shop,
      marketplace: 'ebay',
      auto_start: false,
    })
    await seller.until(
      () =>
        harness.server.services.db.one(
          'select discovery_done and lease_until is null as idle from import_job where uid = $1',
          [created.body.id],
        ),
      ({ idle }) => idle,
    )
    await age(created.body.id, '31 days')
    await sweepImports(harness.server.services)
    expect(await seller.settled(created.body.id)).toMatchObject({ status: 'failed' })
  })

  it('is resumed after its message was lost', async () => {
    harness.ebay.shop = [buildListing()]
    const { services } = harness.server
    await services.db.none(
      `insert into import_job (user_id, uid, seller_account_uid, platform, source, states)
       values ($1, 'job_lost000000000000000000', $2, 'ebay', 'pull', '{active}')`,
      [seller.account.user_id, seller.shop],
    )
    await age('job_lost000000000000000000', '11 minutes')
    await sweepImports(services)
    expect(await seller.settled('job_lost000000000000000000')).toMatchObject({ status: 'completed', items_imported: 1 })
  })
})

describe('the end of an import', () => {
  it('emits one event with its counters', async () => {
    harness.ebay.shop = [buildListing()]
    const job = await seller.import()
    const reported = await harness.server.services.db.any(
      "select type, data from event where user_id = $1 and type like 'import.%' and type like 'import.%'",
      [seller.account.user_id],
    )
    expect(reported).toMatchObject([{ type: 'import.completed', data: { id: job.id, items_imported: 1 } }])
  })
})
