// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { closeScreen, dom, openPage, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { CertaintyGroup, Conflict, Match } from '#shared/contract/catalog/imports.ts'
import { newId } from '#shared/identity.ts'

afterEach(closeScreen)

/** A match: a listing on Etsy with the SKU of an item. */
function possibleMatch(title: string, match: Partial<Match> = {}): Conflict {
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
      match: { certainty: 'unsure', reasons: ['same_sku'], ...match },
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

  it('lead to the comparison by their pictures, and have three buttons each', async () => {
    const match = possibleMatch('Silk scarf')
    await openReview(match)
    const link = dom.getByRole('link', { name: /Silk scarf.*Compare$/ })
    expect(link.getAttribute('href')).toBe(`#conflict/${match.job_uid}/${match.item.id}`)
    const row = link.closest('li')!
    expect([...row.querySelectorAll('button, a')].map((one) => one.textContent)).toEqual([
      link.textContent,
      'Link',
      'Keep both',
      'Skip',
    ])
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

const names = () =>
  within(dom.getByRole('main'))
    .getAllByRole('button')
    .flatMap(({ textContent }) => (/^(Link|Skip|Keep) .*\d/.test(textContent ?? '') ? [textContent] : []))

describe('matches whose photos are being compared', () => {
  const groups = (given: Partial<Record<CertaintyGroup, number>>) => ({
    certain: 0,
    likely: 0,
    unsure: 0,
    other: 0,
    ...given,
  })

  it('move to their group without a reload, and change no active row', async () => {
    const server = new StandInServer()
    const sure = possibleMatch('Denim jacket', { certainty: 'certain' })
    const coat = possibleMatch('Wool coat', { photos: 'comparing' })
    const boots = possibleMatch('Leather boots', { photos: 'comparing' })
    const judged = { ...boots, item: { ...boots.item, match: { certainty: 'certain', reasons: ['same_photo'] } } }
    let answer: object = { count: 3, comparing: 2, groups: groups({ certain: 1 }), results: [sure, coat, boots] }
    server.answers.set('listConflicts', () => answer)
    const decided: object[] = []
    server.answers.set('resolveConflicts', ({ body }) => {
      decided.push(body as object)
      return { results: [], change_uid: null, next: null }
    })
    const { user } = await openPage({ server, hash: '#decisions' })
    await dom.findByText('Comparing photos, 2 left')
    expect(names()).toEqual(['Link 1 certain match', 'Skip 1'])
    await user.keyboard('j')
    const active = () => document.querySelector('.decision.active')?.textContent
    expect(active()).toContain('Wool coat')
    const as_of = '2026-11-28T12:00:00.000Z'
    const linkable = { certain: 2, likely: 0, unsure: 0 }
    answer = {
      ...{ count: 3, comparing: 1, groups: groups({ certain: 2 }), linkable, as_of },
      results: [judged, sure, coat],
    }
    await dom.findByText('2 certain matches')
    expect(dom.getByText('Comparing photos, 1 left')).toBeTruthy()
    expect(active()).toContain('Wool coat')
    expect(names()).toEqual(['Link 2 certain matches', 'Skip 2'])
    await user.click(dom.getByRole('button', { name: 'Link 2 certain matches' }))
    await waitFor(() => expect(decided).toEqual([{ resolution: 'link_existing', certainty: 'certain', as_of }]))
    answer = {
      count: 1,
      comparing: 0,
      groups: groups({ unsure: 1 }),
      results: [possibleMatch('Wool coat', { photos: 'unread' })],
    }
    await dom.findByText('1 possible match')
    expect(dom.queryByText(/Comparing photos/)).toBeNull()
    expect(dom.getByText('A photo could not be read')).toBeTruthy()
    expect(names()).toEqual(['Link 1 possible match…', 'Skip 1'])
  })

  it('are linked with the item that was shown', async () => {
    const coat = possibleMatch('Wool coat', { photos: 'comparing' })
    const { user, server } = await openReview(coat)
    const decided: unknown[] = []
    server.answers.set('resolveConflicts', ({ body }) => {
      decided.push(body)
      return { results: [], change_uid: null, next: null }
    })
    await user.keyboard('l')
    const { job_uid, item, existing } = coat
    const items = [{ job_uid, item_uid: item.id, inventory_item_uid: existing!.uid }]
    await waitFor(() => expect(decided).toEqual([{ resolution: 'link_existing', items }]))
  })
})

describe('a press about a group', () => {
  const twin = (title: string) => ({
    ...possibleMatch(title, { certainty: 'likely' }),
    proposed: 'create_new' as const,
  })
  const open = async (...conflicts: Conflict[]) => {
    const server = new StandInServer()
    const groups = { certain: 0, likely: conflicts.length, unsure: 0, other: 0 }
    server.answers.set('listConflicts', () => ({ count: conflicts.length, results: conflicts, groups }))
    await openPage({ server, hash: '#decisions' })
    await dom.findByText(conflicts[0]!.item.listing_title)
  }

  it('is not offered where it can link nothing', async () => {
    await open(twin('Silk scarf'), twin('Silk blouse'))
    expect(names()).toEqual(['Skip all 2'])
  })

  it('names how many it can link', async () => {
    await open(twin('Silk scarf'), possibleMatch('Silk blouse', { certainty: 'likely' }))
    expect(names()).toEqual(['Link 1 likely match', 'Skip all 2'])
  })
})
