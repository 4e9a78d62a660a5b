import { expect, it } from 'vitest'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { createExchange } from './http.ts'

const { parts } = waysIn.ebay

it.each([
  ['is read at the bound', parts, null],
  ['is refused above it, however small', parts + 1, 'too_large'],
])('an answer with many tags %s', async (_what, tags, code) => {
  const fetch = async () => new Response('<'.repeat(tags))
  const exchange = createExchange({ platform: 'ebay', fetch, way: 'ebay' })
  const given = await exchange('the list', 'https://ebay.example/', {}).then(
    ({ text }) => [text.length, null],
    (error: { platformCode?: string }) => [tags, error.platformCode],
  )
  expect(given).toEqual([tags, code])
})
