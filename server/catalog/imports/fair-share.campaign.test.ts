import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { newId } from '#shared/identity.ts'
import { sendImportRun } from './jobs/queue.ts'
import { type ImportHarness, startImportHarness } from './testing/harness.ts'
import { connectTestShop } from './testing/shop.ts'

const create = '/api/v1/marketplace/import/jobs/create/'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())

describe('the import worker', () => {
  it('starts an import within seconds beside forty of another', async () => {
    harness.ebay.shop = [buildListing()]
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    harness.ebay.before = () => gate
    const greedy = await harness.seller()
    const asked = []
    for (let number = 0; number < 40; number++) {
      const shop = await connectTestShop(harness.server.services, greedy.account)
      asked.push(await greedy.call('POST', create, { seller_account_uid: shop.uid, marketplace: 'ebay' }))
    }
    await greedy.until(
      async () => asked.length && harness.ebay.calls.length,
      (reading) => reading === 2,
    )
    // A seller's share is two at a time. The gate blocks those under way and lets later ones pass.
    harness.ebay.before = () => {}
    const modest = await harness.seller()
    expect(await modest.import()).toMatchObject({ status: 'completed', items_imported: 1 })
    release()
    for (const reply of asked) await greedy.settled(reply.body.id)
  })

  // More rows: `ROUNDS=100000 npm run vitest -- --project campaigns server/catalog/imports/fair-share -t queue`.
  it(
    'starts an import within seconds however long the queue is',
    async () => {
      const count = rounds(500)
      const { services } = harness.server
      harness.ebay.shop = [buildListing()]
      let release = () => {}
      const gate = new Promise<void>((resolve) => {
        release = resolve
      })
      harness.ebay.calls = []
      harness.ebay.before = () => gate
      const greedy = await harness.seller()
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
        const modest = await harness.seller()
        harness.ebay.before = () => {}
        const job = await modest.import()
        expect(job).toMatchObject({ status: 'completed', items_imported: 1 })
        seconds.push((Date.parse(job.started_at!) - Date.parse(job.created_at)) / 1_000)
      }
      if (process.env.ROUNDS) {
        process.stdout.write(`beside ${count} imports of one seller others began after ${seconds.join(', ')} s\n`)
        expect(Math.max(...seconds)).toBeLessThanOrEqual(5)
      }
      // The remaining ones do not matter.
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
