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

it('is green only while the last needed call worked', () => {
  const ebay = (...healths: NonNullable<SellerAccount['health']>['state'][]) => {
    const accounts = healths.map(
      (state): SellerAccount => ({
        ...closet,
        platform: 'ebay',
        status: state === 'reconnect_required' ? state : 'connected',
        health: {
          ...{ state, reason: state === 'failing' ? 'take_down' : null, message: null, since: null },
          ...{ last_success_at: at, next_try_at: state === 'failing' ? '2026-11-01T10:05:00.000Z' : null },
        },
      }),
    )
    return platformHealth([], accounts, {}, []).find(({ slug }) => slug === 'ebay')
  }
  expect(ebay('working')).toMatchObject({ health: 'ok', seen_at: Date.parse(at), failing: null })
  expect(ebay('unknown')).toMatchObject({ health: 'idle' })
  expect(ebay('reconnect_required')).toMatchObject({ health: 'needs_you' })
  expect(ebay('working', 'failing')).toMatchObject({
    health: 'failing',
    failing: { what: 'take_down', next_try_at: Date.parse('2026-11-01T10:05:00.000Z') },
  })
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
