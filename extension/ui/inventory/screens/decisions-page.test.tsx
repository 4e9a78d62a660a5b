// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { closeScreen, dom, openPage, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { Conflict } from '#shared/contract/imports.ts'
import { newId } from '#shared/identity.ts'

afterEach(closeScreen)

/** A possible match: a listing on Etsy with the SKU of an item. */
function possibleMatch(title: string): Conflict {
  const money = { price_minor: 900, currency: 'USD' }
  return {
    ...{ job_uid: newId('job'), marketplace: 'etsy', proposed: 'link_existing' },
    listing: { url: null, image: null, ...money },
    existing: {
      ...{ uid: newId('inv'), title: `${title}, rust`, image: null, sku: 'A-1', ...money },
      ...{ state: 'available', platforms: ['ebay'] },
    },
    item: {
      ...{ id: newId('itm'), external_listing_id: '1', external_sku: 'A-1', listing_title: title, listing_price: '9' },
      ...{ status: 'conflict', conflict_type: 'possible_duplicate', conflict_details: null, resolution: 'pending' },
      ...{ error_code: null, error_message: null, created_inventory_item_uid: null, processed_at: null },
      match: { certainty: 'unsure', reasons: ['same_sku'] },
    },
  }
}

async function openReview(...conflicts: Conflict[]) {
  const server = new StandInServer()
  const groups = { certain: 0, likely: 0, unsure: conflicts.length, other: 0 }
  server.answers.set('listConflicts', () => ({ count: conflicts.length, results: conflicts, groups }))
  const decided: unknown[] = []
  server.answers.set('resolveImportItem', ({ params, body }) => {
    decided.push({ item: params.item_uid, ...(body as object) })
    return conflicts.find(({ item }) => item.id === params.item_uid)!.item
  })
  const screen = await openPage({ server, hash: '#decisions' })
  await dom.findByText(conflicts[0]!.item.listing_title)
  return { ...screen, decided }
}

describe('the listings to review', () => {
  it('say that nobody watches a skipped listing, and which SKU keeps both', async () => {
    await openReview(possibleMatch('Silk scarf'))
    expect(dom.getByText(/you skip stays out of your inventory, and Hapax does not watch it/)).toBeTruthy()
    expect(dom.getByText('To keep both: SKU A-1-2')).toBeTruthy()
  })

  it('keep both by a key, with the proposed SKU', async () => {
    const first = possibleMatch('Silk scarf')
    const { user, decided } = await openReview(first, possibleMatch('Silk blouse'))
    await user.keyboard('n')
    await waitFor(() =>
      expect(decided).toEqual([
        expect.objectContaining({ item: first.item.id, resolution: 'create_new', sku: 'A-1-2' }),
      ]),
    )
    expect(dom.queryByText('Silk scarf')).toBeNull()
    await dom.findByText('Kept as an item of its own')
  })

  it('link possible matches only after a question', async () => {
    const { user, decided } = await openReview(possibleMatch('Silk scarf'), possibleMatch('Silk blouse'))
    await user.click(dom.getByRole('button', { name: 'Link all 2 possible matches…' }))
    expect(dom.getByRole('dialog', { name: 'Link 2 possible matches?' })).toBeTruthy()
    await user.click(dom.getByRole('button', { name: 'Cancel' }))
    expect(decided).toEqual([])
  })
})
