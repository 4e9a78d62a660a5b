import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { until } from '#e2e/harness/until.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, isDatabaseUnavailable, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { buildListedItem, buildSeller, orderFor, placeOrder } from './testing/sell.ts'

let directory: string
afterAll(() => directory && rm(directory, { recursive: true, force: true }))

describe('PostgreSQL killed during sales', () => {
  it('loses no acknowledged sale and leaves none half done', async () => {
    directory = await mkdtemp(join(memoryFolder(), 'hapax-killed-'))
    // Not the tests' shared server, which runs without fsync.
    let server = await startEmbeddedDatabase(directory)
    await migrate(server.url)
    const acknowledged: string[] = []
    let recorded = 0
    for (let kill = 0; kill < 1; kill++) {
      const db = openDatabase({ url: server.url, max: 16 })
      const seller = await buildSeller(db)
      let isDead = false
      const clients = Array.from({ length: 12 }, async (_, client) => {
        for (let number = 0; !isDead; number++) {
          try {
            const item = await db.tx((tx) => buildListedItem(tx, seller))
            await placeOrder(db, seller.user_id, orderFor(item, 'ebay', { id: `${kill}-${client}-${number}` }))
            acknowledged.push(item.item_uid)
            await placeOrder(db, seller.user_id, orderFor(item, 'etsy', { id: `${kill}-${client}-${number}` }))
          } catch (error) {
            if (!isDatabaseUnavailable(error)) throw error
            isDead = true
          }
        }
      })
      await until(() => acknowledged.length > recorded + 25)
      const pid = Number((await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
      process.kill(pid, 'SIGKILL')
      await Promise.all(clients)
      recorded = acknowledged.length
      await closeDatabase(db).catch(() => {})
      // The server has ended already. This unlocks its folder.
      await server.stop()
      server = await again()
    }
    const db = openDatabase({ url: server.url, max: 4 })
    try {
      expect(recorded).toBeGreaterThan(20)
      const sold = await db.map('select item_uid from sale where not cancelled', [], ({ item_uid }) => item_uid)
      expect(acknowledged.filter((item) => !sold.includes(item))).toEqual([])
      await checkInvariants(db)
      // A sale without an acknowledgement is complete too: it has its operation and its events.
      expect(
        await db.any(`
          select item_uid from sale
          where not exists (select from listing_operation where listing_operation.item_uid = sale.item_uid)
            or (select count(*) from event where event.item_uid = sale.item_uid) < 2`),
      ).toEqual([])
    } finally {
      await closeDatabase(db)
      await server.stop()
    }
  })

  /** Starts PostgreSQL again on the same data, retrying while the killed processes disappear. */
  async function again() {
    for (let attempt = 0; ; attempt++) {
      try {
        return await startEmbeddedDatabase(directory)
      } catch (error) {
        if (attempt > 120) throw error
        await delay(500)
      }
    }
  }
})
