import { expect, it } from 'vitest'
import type { Exchange } from '../http.ts'
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
