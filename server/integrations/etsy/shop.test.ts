import { afterEach, expect, it } from 'vitest'
import type { PublishRequest } from '#server/integrations/port.ts'
import { usual } from '#server/sandbox/etsy/responses.ts'
import { drawPicture } from '#server/sandbox/kit/picture.ts'
import { type RunningEtsySandbox, startEtsySandbox } from './testing/etsy-sandbox.ts'

const shopName = 'AwayAdaShop'
let running: RunningEtsySandbox
afterEach(() => running?.sandbox.close())

const request: PublishRequest = {
  ...{ externalKey: 'AWAY-abcdefghijklmnop', made: null, repeated: false, sku: null },
  ...{ title: 'Brass lamp', description: 'Of brass.', price_minor: 4_000, currency: 'USD' },
  images: ['https://pictures.example.com/1.png'],
  condition: { label: 'Used', notes: '' },
  attributes: {},
  address: { full_name: 'Ada', line1: '1 Quay', city: 'Portland', postal_code: '04101', country: 'US' },
  options: {
    ...{ taxonomy_id: '66', who_made: 'someone_else', when_made: '1970s' },
    shipping_profile_id: String(usual.shippingProfile),
    return_policy_id: String(usual.returnPolicy),
    readiness_state_id: String(usual.readinessState),
  },
}

async function start() {
  const bytes = await drawPicture('lamp', 1, 'lamp')
  running = await startEtsySandbox(
    { usual: false, shops: [{ shopName, listings: [] }] },
    { fetchPicture: async () => ({ bytes, type: 'image/png' }) },
  )
  const { market } = running.sandbox
  const { shopId } = market.shopNamed(shopName)!
  const port = running.adapter.listings!
  return { port, access: running.accessOf(shopName), setVacation: (on: boolean) => market.setVacation(shopId, on) }
}

it('a vacation is found before anything is published', async () => {
  const { port, access, setVacation } = await start()
  const codes = async () => (await port.findings(access, request)).map(({ code, blocking }) => [code, blocking])
  expect(await codes()).not.toContainEqual(['shop_on_vacation', true])
  setVacation(true)
  const { port: fresh } = await freshPort()
  expect((await fresh.findings(access, request)).find(({ code }) => code === 'shop_on_vacation')).toMatchObject({
    field: 'shop',
    blocking: true,
    message: expect.stringMatching(/shop on Etsy is on vacation.*End the vacation/),
  })
})

it('a publication that the vacation prevents says so', async () => {
  const { port, access, setVacation } = await start()
  setVacation(true)
  await expect(port.publish(access, request, async () => {})).rejects.toMatchObject({
    failure: 'refused',
    platformCode: 'vacation',
    message: expect.stringMatching(/shop on Etsy is on vacation/),
  })
  setVacation(false)
  await expect(port.publish(access, { ...request, repeated: true }, async () => {})).resolves.toMatchObject({
    listing_id: expect.any(String),
  })
})

/** Returns a port without cached answers. */
async function freshPort() {
  return { port: running.createAdapter({}).listings! }
}
