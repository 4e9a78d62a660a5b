// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, openPopup, reads, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { OptionsByPlatform } from '#shared/contract/selling/listings.ts'
import type { Fee, Preflight } from '#shared/contract/selling/preflight.ts'

afterEach(closeScreen)

const fee: Fee = {
  ...{ code: 'listing_fee', charged: 'on_listing', certain: true, amount_minor: 20, currency: 'USD' },
  message: 'Etsy charges $0.20 for four months as soon as the listing is up.',
}

interface Sent {
  uids?: string[]
  items?: { uid: string; options?: OptionsByPlatform }[]
}

/** A server whose items wait for their maker on Etsy, and what was asked of it. */
function withUnanswered(n: number) {
  const server = new StandInServer()
  for (let at = 0; at < n; at++) {
    const item = sampleItem(at, { listings: [] })
    item.record.lifecycle.state = 'available'
    server.inventory.push(item)
  }
  const since = new Date().toISOString()
  const waiting = server.inventory.map(({ uid, record }) => ({
    ...{ inventory_item_uid: uid, platform: 'etsy', title: record.title, bulk_job_uid: 'blk_1' },
    since,
  }))
  const sent: Sent[] = []
  const kept: unknown[] = []
  const { answers } = server
  answers.set('listSellerAccounts', () => [
    {
      ...{ uid: 'sel_0000000000000000000001', platform: 'etsy', external_id: 'vera', external_name: 'VintageVera' },
      ...{ status: 'connected', connected_at: since, last_synced_at: since },
    },
  ])
  answers.set('listUnanswered', () => ({
    ...{ count: waiting.length, results: waiting },
    counts: waiting.length > 0 ? { etsy: waiting.length } : {},
  }))
  answers.set('dismissUnanswered', () => ({ dismissed: waiting.splice(0).length }))
  answers.set('getListingDefaults', () => ({ shipping_profile_id: '9' }))
  answers.set('putListingDefaults', ({ body }) => {
    kept.push(body)
    return body
  })
  answers.set('listingChoices', () => ({
    choices: [
      {
        ...{ option: 'who_made', required: true, default_id: null, free_text: false },
        values: [
          { id: 'i_did', name: 'I did' },
          { id: 'someone_else', name: 'Another company or person' },
        ],
      },
    ],
  }))
  answers.set('bulkPreflight', ({ body }) => {
    const results = ((body as Sent).items ?? []).map(({ uid, options }): Preflight => {
      const ready = options?.etsy?.who_made !== undefined
      const message = 'Say who made it.'
      return {
        ...{
          inventory_item_uid: uid,
          platform: 'etsy',
          ready,
          fees: [fee],
          options: { ...options?.etsy, taxonomy_id: '7' },
        },
        findings: ready ? [] : [{ field: 'options.who_made', code: 'choice_required', message, blocking: true }],
        ...{ price_minor: 900, currency: 'USD', marketplace: null, shipping: 'Parcel, tracked' },
        category: { id: '7', name: 'Clothing > Coats', suggested: true },
      }
    })
    const ready = results.filter((one) => one.ready).length
    return { results, ready, not_ready: results.length - ready, not_checked: 0 }
  })
  const bulk = server.selling
  answers.set('bulkList', ({ body }) => {
    sent.push(body as Sent)
    return bulk.act('bulkList', {}, {}, body, {})!.body
  })
  return { server, sent, kept }
}

const dialog = () => within(dom.getByRole('dialog'))

describe('listings that wait for an answer', () => {
  it('stay on Home until they are dismissed, and count there', async () => {
    const { server } = withUnanswered(2)
    const { user } = await openPage({ server, hash: '#home' })
    await dom.findByText('2 listings on Etsy need an answer')
    expect(dom.getByRole('link', { name: 'Answer for Etsy' }).getAttribute('href')).toBe('#unanswered/etsy')
    await user.click(dom.getByRole('button', { name: 'Dismiss the listings on Etsy that need an answer' }))
    await dom.findByText('Leave all 2 unlisted on Etsy? The items stay in your inventory.')
    await user.click(dom.getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(dom.queryByText('2 listings on Etsy need an answer')).toBeNull())
  })

  it('lead from the popup to the page', async () => {
    await openPopup({ server: withUnanswered(1).server })
    await dom.findByText('1 listing on Etsy needs an answer')
    expect(dom.getByRole('link', { name: 'Answer for Etsy' }).getAttribute('href')).toMatch(/#unanswered\/etsy$/)
  })

  it('take one answer for all, and list with it', async () => {
    const { server, sent, kept } = withUnanswered(3)
    const { user } = await openPage({ server, hash: '#unanswered/etsy' })
    await dom.findByText('3 need an answer.')
    await user.selectOptions(await dom.findByRole('combobox', { name: 'Who made it' }), 'someone_else')
    await user.click(dialog().getByRole('checkbox', { name: 'Save as my default on Etsy' }))
    await dialog().findByText('3 listings are ready.')
    expect(kept).toEqual([{ shipping_profile_id: '9', who_made: 'someone_else' }])
    // The answer can be corrected until the press.
    expect(dialog().getByRole('combobox', { name: 'Who made it' })).toHaveProperty('value', 'someone_else')
    // Nobody chose the category yet.
    expect(dialog().getAllByText(/Suggested, check it$/)).toHaveLength(3)
    await user.click(dialog().getByRole('button', { name: 'List 3 items' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    const options = { etsy: { taxonomy_id: '7', who_made: 'someone_else' } }
    const uids = server.inventory.map(({ uid }) => uid)
    expect(sent[0]?.items?.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))).toEqual(
      uids.toSorted().map((uid) => ({ uid, options })),
    )
  })

  it('say that they are none any more', async () => {
    const { server } = withUnanswered(1)
    server.answers.set('listUnanswered', () => ({ count: 0, results: [], counts: {} }))
    await openPage({ server, hash: '#unanswered/etsy' })
    await dom.findByText('All done. No listing needs an answer.')
  })
})

describe('the fees of a bulk listing', () => {
  async function openReady(n: number) {
    const { server, sent } = withUnanswered(n)
    const { user } = await openPage({ server, hash: '#unanswered/etsy' })
    await user.selectOptions(await dom.findByRole('combobox', { name: 'Who made it' }), 'someone_else')
    await dialog().findByText(`${n} listings are ready.`)
    return { user, sent }
  }

  it('are said as a sum, beside category, price and shipping of each', async () => {
    await openReady(2)
    await reads('Etsy will charge $0.40 for 2 listings.')
    expect(dialog().getAllByText('Shipping: Parcel, tracked')).toHaveLength(2)
    expect(dialog().getByText(fee.message)).toBeTruthy()
    expect(dialog().queryByLabelText('Type 2 to confirm')).toBeNull()
  })

  it('are confirmed by typing from $20 on', async () => {
    const { user, sent } = await openReady(100)
    await reads('Etsy will charge $20.00 for 100 listings.')
    const list = dialog().getByRole('button', { name: 'List 100 items' })
    expect(list.getAttribute('aria-disabled')).toBe('true')
    await user.click(list)
    expect(sent).toEqual([])
    await user.type(dialog().getByLabelText('Type 100 to confirm'), '100')
    await user.click(list)
    await waitFor(() => expect(sent).toHaveLength(1))
  })
})
