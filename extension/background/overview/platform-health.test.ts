import { expect, it } from 'vitest'
import type { SellerAccount } from '#shared/contract/connections.ts'
import { platformHealth, type Seen } from './platform-health.ts'

const at = '2026-11-01T10:00:00.000Z'
const closet: SellerAccount = {
  uid: 'sel_0000000000000000000001',
  platform: 'poshmark',
  external_id: 'samplecloset',
  external_name: 'samplecloset',
  status: 'connected',
  connected_at: at,
  last_synced_at: null,
}
const poshmark = (accounts: SellerAccount[] | null, seen: Seen = {}) =>
  platformHealth([], accounts, seen, []).find(({ slug }) => slug === 'poshmark')

it('knows a shop that another browser imported', () => {
  expect(poshmark([closet])).toMatchObject({ health: 'ok', shop: 'samplecloset', seen_at: Date.parse(at) })
  expect(poshmark([closet])?.url).toContain('/closet/samplecloset')
  expect(poshmark([])).toMatchObject({ health: 'none', shop: null })
  expect(poshmark([{ ...closet, status: 'revoked' }])).toMatchObject({ health: 'none', shop: null })
  expect(poshmark(null)).toMatchObject({ health: 'unknown', shop: null })
})

it('prefers this browser’s data to the server’s', () => {
  const now = Date.parse('2026-11-02T10:00:00.000Z')
  expect(poshmark([closet], { poshmark: { username: null, at: now } })).toMatchObject({ health: 'needs_you' })
  expect(poshmark([closet], { poshmark: { username: 'other', at: now } })).toMatchObject({
    shop: 'other',
    seen_at: now,
  })
  expect(poshmark(null, { poshmark: { username: 'other', at: now } })).toMatchObject({ health: 'ok' })
})
