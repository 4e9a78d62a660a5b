import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parallel, type Reply, statuses } from '#e2e/harness/api.ts'
import { rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, startImportHarness } from '../testing/harness.ts'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())

const count = rounds(6)

/** A slow machine may answer some of sixteen requests with 503 and do nothing. */
async function untilAnswered(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await ask()
    if (reply.status !== 503) return reply
  }
}

describe('a conflict that is answered in parallel', () => {
  it(
    'has one outcome, at most one new item',
    async () => {
      const won: Record<string, number> = {}
      for (let raced = 0; raced < count; ) {
        const seller = await harness.seller()
        const pairs = Math.min(50, count - raced)
        harness.ebay.shop = Array.from({ length: 2 * pairs }, (_, index) =>
          buildListing({ sku: `TWICE-${Math.floor(index / 2)}`, title: `Coat ${raced}-${index}` }),
        )
        const job = await seller.import()
        const conflicts = await seller.items(job.id, 'status=conflict&page_size=100')
        expect(conflicts).toHaveLength(pairs)
        let created = 0
        for (const item of conflicts) {
          const path = `/api/v1/marketplace/import/jobs/${job.id}/items/${item.id}/resolve/`
          const answers = [
            { resolution: 'link_existing' },
            { resolution: 'create_new', sku: `OTHER-${raced++}` },
            { resolution: 'overwrite' },
            { resolution: 'skip' },
          ]
          // Each of the four is sent first equally often.
          const replies = await parallel(16, (index) =>
            untilAnswered(() => seller.call('POST', path, answers[(index + raced) % 4])),
          )
          expect(statuses(replies)).toEqual({ 200: 4, 409: 12 })
          const ends = new Set(replies.filter((reply) => reply.status === 200).map((reply) => reply.body.resolution))
          expect(ends.size).toBe(1)
          const [end] = [...ends]
          won[end] = (won[end] ?? 0) + 1
          if (end === 'create_new') created++
        }
        expect(await seller.inventory()).toHaveLength(pairs + created)
        expect(await seller.job(job.id)).toMatchObject({ items_conflicted: 0, total_listings_found: 2 * pairs })
      }
      if (process.env.ROUNDS) process.stdout.write(`${count} races of 16, ended ${JSON.stringify(won)}\n`)
    },
    roundsTimeoutMs(count),
  )
})
