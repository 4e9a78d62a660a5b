import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildListing } from '#server/testing/listing.ts'
import { rounds, roundsTimeoutMs } from '#server/testing/rounds.ts'
import { newId } from '#shared/identity.ts'
import { sendImportRun } from './queue.ts'
import { type ImportHarness, startImportHarness } from './testing/harness.ts'
import { connectTestShop } from './testing/shop.ts'

const create = '/api/v1/marketplace/import/jobs/create/'

let stand: ImportHarness
beforeAll(async () => {
  stand = await startImportHarness()
})
afterAll(() => stand?.close())

describe('the worker', () => {
  it("starts a seller's import within seconds while another's forty are under way", async () => {
    stand.ebay.shop = [buildListing()]
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    stand.ebay.before = () => gate
    const greedy = await stand.seller()
    const asked = []
    for (let number = 0; number < 40; number++) {
      const shop = await connectTestShop(stand.server.services, greedy.account)
      asked.push(await greedy.call('POST', create, { seller_account_uid: shop.uid, marketplace: 'ebay' }))
    }
    await greedy.until(
      async () => asked.length && stand.ebay.calls.length,
      (reading) => reading === 2,
    )
    // Two at a time are one seller's share; the gate is shut for those that came, and open for those that come.
    stand.ebay.before = () => {}
    const modest = await stand.seller()
    expect(await modest.import()).toMatchObject({ status: 'completed', items_imported: 1 })
    release()
    for (const reply of asked) await greedy.settled(reply.body.id)
  })

  // `ROUNDS=100000 npm run vitest -- --project server server/catalog/imports/fair-share -t queue`: as many, and within five seconds.
  it(
    "starts a seller's import within seconds however many of another's wait in the queue",
    async () => {
      const count = rounds(500)
      const { services } = stand.server
      stand.ebay.shop = [buildListing()]
      let release = () => {}
      const gate = new Promise<void>((resolve) => {
        release = resolve
      })
      stand.ebay.calls = []
      stand.ebay.before = () => gate
      const greedy = await stand.seller()
      const { user_id } = greedy.account
      for (let made = 0; made < count; made += 1_000) {
        const uids = Array.from({ length: Math.min(1_000, count - made) }, () => newId('job'))
        await services.db.tx(async (tx) => {
          await tx.none(
            `with shop as (
               insert into seller_account (user_id, uid, platform, external_id, external_name, url, status,
                 encrypted_access_token, encrypted_refresh_token, access_expires_at)
               select $<user_id>, 'sel' || substr(job, 4), 'ebay', job, job, url, 'connected',
                 encrypted_access_token, encrypted_refresh_token, access_expires_at
               from seller_account, unnest($<uids>) job where uid = $<shop>
               returning user_id, uid
             )
             insert into import_job (user_id, uid, seller_account_uid, platform, source, states)
             select user_id, 'job' || substr(uid, 4), uid, 'ebay', 'pull', '{active}' from shop`,
            { user_id, uids, shop: greedy.shop },
          )
          for (const job_uid of uids) await sendImportRun(services, tx, { user_id, job_uid })
        })
      }
      const seconds: number[] = []
      for (let each = 0; each < 5; each++) {
        const modest = await stand.seller()
        stand.ebay.before = () => {}
        const job = await modest.import()
        expect(job).toMatchObject({ status: 'completed', items_imported: 1 })
        seconds.push((Date.parse(job.started_at!) - Date.parse(job.created_at)) / 1_000)
      }
      if (process.env.ROUNDS) {
        process.stdout.write(`beside ${count} imports of one seller others began after ${seconds.join(', ')} s\n`)
        expect(Math.max(...seconds)).toBeLessThanOrEqual(5)
      }
      // What is left of the many is of no interest.
      await services.db.none("delete from jobs.job where name = 'import-run' and state in ('created', 'retry')")
      await services.db.none(
        `update import_job set status = 'failed', error_message = 'not of interest', completed_at = now(), lease_until = null
         where user_id = $<user_id> and status in ('pending', 'in_progress')`,
        { user_id },
      )
      release()
    },
    roundsTimeoutMs(rounds(500), 20),
  )
})
