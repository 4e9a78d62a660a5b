import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Exchange } from '../http.ts'
import { withWarnings } from '../warnings.ts'
import { createRest } from './rest.ts'

function restOver(statuses: number[]) {
  const used: string[] = []
  let issued = 0
  let token: string | null = null
  const exchange: Exchange = async (_call, _url, init) => {
    used.push(new Headers(init.headers).get('authorization') ?? '')
    return { status: statuses.shift() ?? 200, headers: new Headers(), text: '{}' }
  }
  const application = {
    read: async () => {
      token ??= `app-${++issued}`
      return token
    },
    forget: () => {
      token = null
    },
  }
  return { rest: createRest({ apiUrl: 'https://api.ebay.com', exchange, application }), used }
}
const call = (path: string) => ({ call: 'a call', method: 'GET', path, accessToken: 'seller' }) as const

it('asks the Metadata API with the token of the application', async () => {
  const { rest, used } = restOver([])
  await rest(call('/sell/metadata/v1/marketplace/EBAY_US/get_item_condition_policies'))
  await rest(call('/sell/account/v1/return_policy'))
  expect(used).toEqual(['Bearer app-1', 'Bearer seller'])
})

it('asks for another token of the application after a 401', async () => {
  const { rest, used } = restOver([401])
  const read = () => rest(call('/sell/metadata/v1/marketplace/EBAY_US/get_item_condition_policies'))
  await expect(read()).rejects.toMatchObject({ failure: 'unauthorized' })
  await read()
  expect(used).toEqual(['Bearer app-1', 'Bearer app-2'])
})

/** Returns what a call whose answer this is passes on as warnings. */
async function saidBy(status: number, body: object): Promise<string[]> {
  const exchange = async () => ({ status, headers: new Headers(), text: JSON.stringify(body) })
  const rest = createRest({
    apiUrl: 'http://127.0.0.1',
    exchange: exchange as never,
    application: { read: async () => 'app', forget() {} },
  })
  const said: string[] = []
  const call = { call: 'the offer', method: 'POST', path: '/offer', accessToken: 'made-up' } as const
  await withWarnings(
    (sentence) => said.push(sentence),
    () => rest({ ...call, schema: z.looseObject({}) }),
  ).catch(() => {})
  return said
}

// The members are those of eBay's published documents (ErrorDetailV3, BaseResponse); the texts are made up.
const warning = (errorId: number, message: string, longMessage?: string) => ({
  ...{ errorId, domain: 'API_INVENTORY', category: 'REQUEST', message, longMessage },
})

it('passes on each warning of an answer in JSON', async () => {
  const warnings = [warning(25753, 'Left out.', 'The tax table was left out.'), warning(39, 'Old field')]
  expect(await saidBy(201, { offerId: '7', warnings })).toEqual([
    'eBay says: The tax table was left out. (warning 25753)',
    'eBay says: Old field (warning 39)',
  ])
})

it('passes on warnings beside errors', async () => {
  const errors = [{ errorId: 25002, message: 'No.' }]
  expect(await saidBy(400, { errors, warnings: [warning(5, 'And this.')] })).toEqual([
    'eBay says: And this. (warning 5)',
  ])
})
