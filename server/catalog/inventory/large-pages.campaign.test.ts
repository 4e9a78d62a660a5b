import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { parallel } from '#e2e/harness/api.ts'
import { rounds } from '#e2e/harness/campaigns/campaign.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { newId } from '#shared/identity.ts'

/** Large items. About six of them fit into an answer. */
const count = rounds(100)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())

describe('pages of the inventory', () => {
  it('end early when items are large, and show each once', async () => {
    const account = await buildAccount(server.services.db)
    const uids = Array.from({ length: count }, () => newId('inv')).sort()
    // Control characters take six bytes each in JSON.
    await server.services.db.none(
      `insert into inventory_item (user_id, uid, product_id, offer_id, title, description, images, condition_label, price_minor, currency, state,
         inspected_at, observed_at, seller_url, shipping_policy_url, returns_policy_url)
       select $<user_id>, uid, uid, uid, 'Coat', case when place % 10 = 0 then repeat(chr(1), 595000) else repeat('a b', 198000) end,
         '{https://example.com/1.jpg}', 'Good', 100, 'USD', 'available', now(), now(), 'https://example.com/', 'https://example.com/', 'https://example.com/'
       from unnest($<uids>::text[]) with ordinality as given (uid, place)`,
      { ...account, uids },
    )
    await server.services.db.none(
      `insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
       select user_id, uid, 1, 'user', 'available', 'Made for a test' from inventory_item where user_id = $<user_id>`,
      account,
    )
    const seen: string[] = []
    let [pages, cursor] = [0, '']
    do {
      const response = await fetch(`${server.url}/api/v1/inventory/?page_size=100${cursor}`, { headers: account.key })
      const text = await response.text()
      expect(response.status).toBe(200)
      expect(Buffer.byteLength(text)).toBeLessThan(4_300_000)
      const page = JSON.parse(text) as { results: { uid: string }[]; next_cursor: string | null }
      expect(page.results.length).toBeGreaterThan(0)
      seen.push(...page.results.map(({ uid }) => uid))
      pages++
      cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : ''
    } while (cursor)
    expect(seen).toEqual(uids.reverse())
    expect(pages).toBeGreaterThan(0.15 * count)
  })

  it('stay as long as requested when items are small', async () => {
    const account = await buildAccount(server.services.db)
    await parallel(7, async (n) => {
      const response = await fetch(`${server.url}/api/v1/inventory/`, {
        method: 'POST',
        headers: { ...account.key, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ title: `Coat ${n}`, images: ['https://example.com/1.jpg'] },
          ...{ condition: { label: 'Good' }, offer: { price_minor: 100, currency: 'USD' } },
        }),
      })
      expect(response.status, await response.text()).toBe(201)
    })
    const sizes: number[] = []
    let cursor = ''
    do {
      const response = await fetch(`${server.url}/api/v1/inventory/?page_size=3${cursor}`, { headers: account.key })
      const page = (await response.json()) as { results: unknown[]; next_cursor: string | null }
      sizes.push(page.results.length)
      cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : ''
    } while (cursor)
    expect(sizes).toEqual([3, 3, 1])
  })
})
