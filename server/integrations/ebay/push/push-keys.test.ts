import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { type EbayKeyServer, startEbayKeys } from '#server/selling/orders/testing/ebay-keys.ts'
import type { StoredPushKey } from './push-key-store.ts'
import { createPushKeys } from './push-keys.ts'

const hourMs = 3_600_000
let keys: EbayKeyServer
let nowMs = 0
let stored: Map<string, StoredPushKey>
let failures: unknown[]
beforeAll(async () => {
  keys = await startEbayKeys()
})
afterAll(() => keys?.close())
beforeEach(() => {
  nowMs = 0
  stored = new Map()
  failures = []
  keys.down = false
})

const start = () =>
  createPushKeys({
    clientId: 'client',
    clientSecret: 'secret',
    apiUrl: keys.url,
    fetch,
    clock: () => nowMs,
    store: {
      readAll: async () => [...stored.values()].map((key) => ({ ...key, age_ms: 0 })),
      store: async (key) => void stored.set(key.kid, key),
      delete: async (kid) => void stored.delete(kid),
    },
    onRefreshFailed: (error) => failures.push(error),
  })
const requestsFor = (kid: string) => keys.asked.filter((path) => path.endsWith(kid)).length

it('caches a key and refreshes it after an hour', async () => {
  const { kid } = keys.issue()
  const keyOf = start()
  const first = await keyOf(kid, 'a')
  expect(await keyOf(kid, 'a')).toBe(first)
  expect(requestsFor(kid)).toBe(1)
  nowMs = hourMs
  keys.down = true
  expect(await keyOf(kid, 'a')).toBe(first)
  await until(async () => failures.length === 1)
  nowMs = 2 * hourMs
  keys.down = false
  expect(await keyOf(kid, 'a')).toBe(first)
  await until(async () => (await keyOf(kid, 'a')) !== first)
  // This includes the request that failed.
  expect(requestsFor(kid)).toBe(3)
})

it('deletes a key that eBay no longer knows', async () => {
  const { kid } = keys.issue()
  await start()(kid, 'a')
  stored.set('withdrawn', { ...stored.get(kid)!, kid: 'withdrawn' })
  const keyOf = start()
  nowMs = 2 * hourMs
  expect(await keyOf('withdrawn', 'a')).not.toBeNull()
  nowMs = 4 * hourMs
  await keyOf('withdrawn', 'a')
  await until(async () => !stored.has('withdrawn'))
  expect(await keyOf('withdrawn', 'a')).toBeNull()
})

it('finds a key that another process has fetched', async () => {
  const keyOf = start()
  const { kid } = keys.issue()
  expect(await keyOf('unknown', 'a')).toBeNull()
  await start()(kid, 'b')
  nowMs = 1_000
  const requests = requestsFor(kid)
  expect(await keyOf(kid, 'a')).not.toBeNull()
  expect(requestsFor(kid)).toBe(requests)
})
