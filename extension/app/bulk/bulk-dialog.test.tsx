// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, waitFor, within } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { Choice, ListingOptions } from '#shared/contract/selling/listings.ts'
import type { Preflight } from '#shared/contract/selling/preflight.ts'

afterEach(closeScreen)

const dialog = () => within(dom.getByRole('dialog'))
const listButton = (n: number) => dialog().findByRole('button', { name: n === 1 ? 'List 1 item' : `List ${n} items` })
const field = (name: string) => dialog().findByRole('combobox', { name })
const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'

const category = (n: number) => ({ id: String(n), name: ['Clothing > Coats', 'Cameras > Film'][n]!, suggested: true })

/** A server with `n` items, of which every second is of another category. Etsy asks for brand and time of making. */
function withQuestions(n: number) {
  const server = new StandInServer()
  for (let index = 0; index < n; index++) server.inventory.push(sampleItem(index, { listings: [] }))
  const { answers } = server
  const aspect = (option: string, names: string[]): Choice => ({
    ...{ option, required: true, default_id: null, free_text: option === 'aspects.Brand' },
    values: names.map((name) => ({ id: name, name })),
  })
  answers.set('listingChoices', () => ({
    choices: [aspect('aspects.Brand', []), aspect('when_made', ['1980s', '1990s'])],
  }))
  answers.set('getSettings', () => ({
    ...{ shipping_policy_url: null, returns_policy_url: null, default_currency: null, sku_required: false },
    ...{ alert_mails: [], push_kinds: [], price_rules: {} },
  }))
  const now = new Date().toISOString()
  answers.set('listSellerAccounts', () => [
    {
      ...{ uid: 'sel_0000000000000000000001', platform: 'etsy', external_id: 'Vera', external_name: 'Vera' },
      ...{ status: 'connected', connected_at: now, last_synced_at: now },
    },
  ])
  const asked: ListingOptions[] = []
  answers.set('bulkPreflight', ({ body }) => {
    const { items } = body as { items: { uid: string; options?: { etsy?: ListingOptions } }[] }
    const results = items.map(({ uid, options }): Preflight => {
      const given = options?.etsy ?? {}
      asked.push(given)
      const lacking = [
        ...(given.aspects?.Brand ? [] : ['options.aspects.Brand']),
        ...(given.when_made ? [] : ['options.when_made']),
      ]
      const findings = lacking.map((name) => ({
        field: name,
        code: 'choice_required' as const,
        message: 'Missing.',
        blocking: true,
      }))
      const place = server.inventory.findIndex((item) => item.uid === uid)
      return {
        ...{
          inventory_item_uid: uid,
          platform: 'etsy',
          ready: lacking.length === 0,
          findings,
          fees: [],
          options: given,
        },
        ...{ price_minor: 900, currency: 'USD', marketplace: null, shipping: null, category: category(place % 2) },
        proposed: [{ option: 'aspects.Size', value: 'L', source: 'title' }],
      }
    })
    return { results, ready: 0, not_ready: results.length, not_checked: 0 }
  })
  return { server, asked }
}

describe('a value that a listing lacks', () => {
  it('has its fields in the dialog, and no list button before', async () => {
    const { server, asked } = withQuestions(1)
    const { user } = await openPage({ server, hash: `#item/${server.inventory[0]!.uid}` })
    await user.click(await dom.findByRole('button', { name: 'List on…' }))
    await user.click(dialog().getByRole('checkbox', { name: /^Etsy/ }))
    const brand = await field('Brand')
    expect(isOff(await listButton(1))).toBe(true)
    expect(dialog().queryByText('Missing.')).toBeNull()
    expect(dialog().getByText('Size L, from the title.')).toBeTruthy()
    await user.type(brand, 'Pendleton')
    await user.selectOptions(await field('When it was made'), '1980s')
    await waitFor(async () => expect(isOff(await listButton(1))).toBe(false))
    expect(asked.at(-1)).toMatchObject({ aspects: { Brand: ['Pendleton'] }, when_made: '1980s' })
    expect(brand).toHaveProperty('value', 'Pendleton')
  })

  it('is asked apart for the items of each category', async () => {
    const { server, asked } = withQuestions(3)
    const { user } = await openPage({ server, hash: '#inventory' })
    await dom.findByText('3 of 3')
    await user.click(dom.getByRole('checkbox', { name: 'Select all shown' }))
    await user.click(await dom.findByRole('button', { name: 'List on…' }))
    await user.click(dialog().getByRole('checkbox', { name: /^Etsy/ }))
    await user.selectOptions(await field('When it was made, Coats'), '1980s')
    await user.selectOptions(await field('When it was made, Film'), '1990s')
    await waitFor(() =>
      expect(
        asked
          .slice(-3)
          .map(({ when_made }) => when_made)
          .toSorted(),
      ).toEqual(['1980s', '1980s', '1990s']),
    )
    expect(isOff(await listButton(3))).toBe(true)
  })
})

it('says before the press what every listing needs, also where the seller lists by a form', async () => {
  const server = new StandInServer()
  server.inventory.push(sampleItem(0, { listings: [] }), sampleItem(1, { listings: [] }))
  server.selling.lacking = { code: 'address_required', message: 'Enter your address first.' }
  const { user } = await openPage({ server, hash: '#inventory' })
  await dom.findByText('2 of 2')
  await user.click(dom.getByRole('checkbox', { name: 'Select all shown' }))
  await user.click(await dom.findByRole('button', { name: 'List on…' }))
  await user.click(dialog().getByRole('checkbox', { name: /^Poshmark/ }))
  await dialog().findByText('Enter your address first.')
  expect(dialog().getByRole('link', { name: 'Add address' })).toBeTruthy()
  expect(isOff(await listButton(2))).toBe(true)
  server.selling.lacking = null
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(async () => expect(isOff(await listButton(2))).toBe(false))
  expect(dialog().queryByText('Enter your address first.')).toBeNull()
})
