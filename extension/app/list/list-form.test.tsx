// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { closeScreen, dom, openPage, shown, waitFor, within } from '#extension/testing/screen.tsx'
import { type Given, Refused, StandInServer } from '#extension/testing/stand-in-server.ts'
import type { Choice } from '#shared/contract/selling/listings.ts'

afterEach(closeScreen)

const select = (option: string, names: Record<string, string>, default_id: string | null = null): Choice => ({
  ...{ option, required: true, default_id, free_text: false },
  values: Object.entries(names).map(([id, name]) => ({ id, name })),
})

/** The choices of an item on Etsy: category, maker and time are open, the profile is the shop's only one. */
const choices = [
  select('taxonomy_id', {}),
  select('who_made', { i_did: 'I did', someone_else: 'Another company or person' }),
  select('when_made', { '1980s': '1980s', '1990s': '1990s' }),
  select('shipping_profile_id', { '9': 'Parcel, tracked' }, '9'),
]

/** A server with items that are listed nowhere, and shops on Etsy. */
function withShops(count: number, shops: string[]) {
  const server = new StandInServer()
  for (let n = 0; n < count; n++) server.inventory.push(sampleItem(n, { listings: [] }))
  const connected_at = new Date().toISOString()
  const { answers } = server
  answers.set('listSellerAccounts', () =>
    shops.map((external_name, n) => ({
      ...{ uid: `sel_000000000000000000000${n + 1}`, platform: 'etsy', external_id: external_name, external_name },
      ...{ status: 'connected', connected_at, last_synced_at: connected_at },
    })),
  )
  answers.set('getSettings', () => ({
    ...{ shipping_policy_url: null, returns_policy_url: null, default_currency: null, sku_required: false },
    ...{ alert_mails: [], push_kinds: [], price_rules: {} },
  }))
  answers.set('listingChoices', ({ query }) => {
    if (shops.length > 1 && !query.seller_account_uid) throw new Refused('seller_account_required')
    return { choices }
  })
  answers.set('searchCategories', ({ query }) => ({
    results: query.q === 'dresses' ? [{ id: '7', name: 'Clothing > Dresses' }] : [],
  }))
  const preflight = ({ params }: Given) => ({
    ...{ inventory_item_uid: params.uid, platform: 'etsy', ready: true, findings: [], fees: [], options: {} },
  })
  answers.set('preflightRequest', preflight)
  const listed: { uid: string; body: unknown }[] = []
  answers.set('listItem', ({ params, body }) => {
    listed.push({ uid: params.uid!, body })
    return { status: 'listed', listing_url: `https://www.etsy.com/listing/${listed.length}`, listing_id: 'l' }
  })
  return { server, listed }
}

const dialog = () => within(dom.getByRole('dialog'))
const field = (name: string) => dialog().findByRole('combobox', { name })
const submit = () => dialog().getByRole('button', { name: /^List it for/ })
const problems = () =>
  dialog()
    .getAllByText(/^(Choose|Say) .+\.$/)
    .map((problem) => problem.textContent)

/** Opens the form that lists the first item on Etsy. */
async function openForm(server: StandInServer) {
  const { user } = await openPage({ server, hash: `#item/${server.inventory[0]!.uid}` })
  await user.click(await dom.findByRole('button', { name: 'List on…' }))
  await user.click(dialog().getByRole('button', { name: 'Edit details for Etsy' }))
  return user
}

type User = Awaited<ReturnType<typeof openForm>>

async function chooseDresses(user: User): Promise<void> {
  await user.type(await dialog().findByLabelText('Search Etsy’s categories'), 'dresses{Enter}')
  await dialog().findByText('1 category found')
  await user.click(dialog().getByRole('radio', { name: 'Clothing > Dresses' }))
}

async function chooseMakerAndTime(user: User): Promise<void> {
  await user.selectOptions(await field('Who made it'), 'someone_else')
  await user.selectOptions(await field('When it was made'), '1980s')
}

const answered = { taxonomy_id: '7', who_made: 'someone_else', when_made: '1980s', shipping_profile_id: '9' }

describe('listing an item by its form', () => {
  it('names what is missing beside each field and focuses the first', async () => {
    const { server, listed } = withShops(1, ['VintageVeraShop'])
    const user = await openForm(server)
    expect(document.activeElement).toBe(dialog().getByRole('heading', { name: 'What Etsy needs to know' }))
    await field('Who made it')
    await user.click(submit())
    expect(problems()).toEqual(['Choose a category.', 'Say who made it.', 'Say when it was made.'])
    const search = dialog().getByLabelText('Search Etsy’s categories')
    await waitFor(() => expect(document.activeElement).toBe(search))
    expect(listed).toEqual([])
  })

  it('asks for what the chosen category requires', async () => {
    const { server, listed } = withShops(1, ['VintageVeraShop'])
    const color = select('aspects.Primary color', { Blue: 'Blue', Rust: 'Rust' })
    server.answers.set('listingChoices', ({ query }) => ({
      choices: query.taxonomy_id === '7' ? [...choices, color] : choices,
    }))
    const user = await openForm(server)
    await chooseDresses(user)
    await chooseMakerAndTime(user)
    await user.selectOptions(await field('Primary color'), 'Rust')
    await user.click(submit())
    await waitFor(() => expect(listed).toHaveLength(1))
    expect(listed[0]?.body).toMatchObject({ options: { ...answered, aspects: { 'Primary color': ['Rust'] } } })
  })

  it('links to the page where a missing profile is made', async () => {
    const { server } = withShops(1, ['VintageVeraShop'])
    const link = 'https://www.etsy.com/your/shops/me/tools/shipping-profiles'
    server.answers.set('listingChoices', () => ({ choices: [{ ...select('readiness_state_id', {}), link }] }))
    await openForm(server)
    const create = await dialog().findByRole('link', { name: 'Create on Etsy' })
    expect(create).toHaveProperty('href', link)
  })

  it('keeps a chosen category that the next search does not find', async () => {
    const { server } = withShops(1, ['VintageVeraShop'])
    const user = await openForm(server)
    await chooseDresses(user)
    const search = dialog().getByLabelText('Search Etsy’s categories')
    await user.clear(search)
    await user.type(search, 'no such thing{Enter}')
    await dialog().findByText(/^No categories match “no such thing”/)
    expect(dialog().getByRole('radio', { name: 'Clothing > Dresses' })).toHaveProperty('checked', true)
  })

  it('keeps the answers when the seller leaves the form, and after a failure', async () => {
    const { server, listed } = withShops(1, ['VintageVeraShop'])
    const user = await openForm(server)
    await chooseDresses(user)
    await chooseMakerAndTime(user)
    await user.click(dialog().getByRole('button', { name: 'Back' }))
    await user.click(dialog().getByRole('button', { name: 'Edit details for Etsy' }))
    expect(await field('When it was made')).toHaveProperty('value', '1980s')
    server.faults.push({ operation: 'listItem', code: 'platform_failed', times: 1 })
    await user.click(submit())
    await dialog().findByRole('alert')
    expect(await field('When it was made')).toHaveProperty('value', '1980s')
    await user.click(submit())
    await dialog().findByText(/^Listed on Etsy\./)
    expect(listed.map(({ body }) => body)).toEqual([{ options: answered }])
  })

  it('asks again when the seller comes back from another page', async () => {
    const { server } = withShops(1, ['VintageVeraShop'])
    server.faults.push({ operation: 'listingChoices', code: 'address_required', times: 1 })
    await openForm(server)
    await dialog().findByRole('link', { name: 'Add address' })
    document.dispatchEvent(new Event('visibilitychange'))
    await field('Who made it')
    expect(dialog().queryByRole('link', { name: 'Add address' })).toBeNull()
  })

  it('asks for the shop where there are several, and lists it there', async () => {
    const { server, listed } = withShops(1, ['VintageVeraShop', 'KyotoKanaCrafts'])
    const user = await openForm(server)
    const shop = await field('Shop')
    await user.click(submit())
    expect(problems()).toEqual(['Choose one of your shops.'])
    await waitFor(() => expect(document.activeElement).toBe(shop))
    await user.selectOptions(shop, 'KyotoKanaCrafts')
    await chooseDresses(user)
    await chooseMakerAndTime(user)
    await user.click(submit())
    await dialog().findByText(/^Listed on Etsy\./)
    const seller_account_uid = 'sel_0000000000000000000002'
    expect(listed.map(({ body }) => body)).toEqual([{ options: answered, seller_account_uid }])
  })

  it('is sent right after its refused price is changed', async () => {
    const { server, listed } = withShops(1, ['VintageVeraShop'])
    const low = { code: 'invalid_price', field: 'price', blocking: true, message: 'The least price is $0.20.' }
    server.answers.set('preflightRequest', ({ params, body }) => ({
      ...{ inventory_item_uid: params.uid, platform: 'etsy', ready: true, fees: [], options: {} },
      findings: (body as { price: string }).price === '0.10' ? [low] : [],
    }))
    const user = await openForm(server)
    await chooseDresses(user)
    await chooseMakerAndTime(user)
    const price = dialog().getByLabelText(/^Price on Etsy/) as HTMLInputElement
    await user.clear(price)
    await user.type(price, '0.10')
    await dialog().findByText('The least price is $0.20.')
    price.value = '45'
    price.dispatchEvent(new Event('input', { bubbles: true }))
    await shown()
    submit().click()
    await waitFor(() => expect(listed).toMatchObject([{ body: { price: '45.00' } }]))
  })
})

it('lists several items one after the other', async () => {
  const { server, listed } = withShops(2, ['VintageVeraShop'])
  for (const { uid } of server.inventory) server.selling.unlistable.add(uid)
  const { user } = await openPage({ server })
  await dom.findByText('2 of 2')
  await user.click(dom.getByRole('checkbox', { name: 'Select all shown' }))
  await dom.findByText('2 items selected')
  await user.click(dom.getByRole('button', { name: 'List on…' }))
  await user.click(dialog().getByRole('checkbox', { name: /^Etsy/ }))
  const list = await waitFor(() => {
    const found = dialog().getByRole('button', { name: 'List 2 items' })
    expect(found.getAttribute('aria-disabled')).toBe('false')
    return found
  })
  await user.click(list)
  await user.click(
    await dialog().findByRole('button', { name: `Choose… for ${server.inventory[0]!.record.title} on Etsy` }),
  )
  for (let n = 1; n <= 2; n++) {
    await chooseDresses(user)
    await chooseMakerAndTime(user)
    await user.click(submit())
    await waitFor(() => expect(listed).toHaveLength(n))
  }
  await dialog().findByText('2 done')
  expect(new Set(listed.map(({ uid }) => uid))).toEqual(new Set(server.inventory.map(({ uid }) => uid)))
})
