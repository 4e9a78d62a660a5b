import { expect, it } from 'vitest'
import type { ShopAccess } from '#server/integrations/port.ts'
import type { Etsy } from '../client.ts'
import { createOwnListings } from './own-listings.ts'

const access = { accessToken: '1.a', shop: { external_id: '7' } } as ShopAccess
/** Etsy's operations, with a page of the newest listings and one listing by its own. */
const ownListings = (results: unknown[], one: object) =>
  createOwnListings((async ({ call }, answer) =>
    answer.parse(call === 'the listing' ? one : { count: results.length, results })) as Etsy)

const draft = { listing_id: 3, state: 'draft', description: 'Green coat [draft A-1]' }

it('finds a listing beside odd ones', async () => {
  const odd = [null, 'text', {}, { listing_id: 'x', description: 7 }, { ...draft, listing_id: 2, state: null, skus: 1 }]
  const found = await ownListings([...odd.slice(0, 4), draft], {}).findNewest(access, 'draft', (raw) =>
    String(raw.description).includes('[draft A-1]'),
  )
  expect(found).toMatchObject({ listing_id: '3', state: 'draft' })
  const none = await ownListings(odd, {}).findNewest(access, 'draft', ({ skus }) => [skus].flat().includes('A-1'))
  expect(none).toBeNull()
})

it('reads a listing again that matches and is odd', async () => {
  const matches = ({ description }: { description?: unknown }) => String(description).includes('[draft A-1]')
  const odd = { ...draft, price: 'free' }
  expect(await ownListings([odd], draft).findNewest(access, 'draft', matches)).toMatchObject({ listing_id: '3' })
  await expect(ownListings([odd], odd).findNewest(access, 'draft', matches)).rejects.toThrow()
})
