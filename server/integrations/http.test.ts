import { expect, it } from 'vitest'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { createExchange } from './http.ts'

it.each(
  (
    [
      ['ebay', '<'],
      ['etsy', '['],
      ['etsy', '":'],
    ] as const
  ).flatMap(([way, mark]) => [
    { way, mark, what: 'is read at the bound', tags: waysIn[way].parts, code: null },
    { way, mark, what: 'is refused above it, however small', tags: waysIn[way].parts + 1, code: 'too_large' },
  ]),
)('an answer of $way with many $mark $what', async ({ way, mark, tags, code }) => {
  const fetch = async () => new Response(mark.repeat(tags))
  const exchange = createExchange({ platform: way, fetch, way })
  const given = await exchange('the list', 'https://ebay.example/', {}).then(
    ({ text }) => [text.length / mark.length, null],
    (error: { platformCode?: string }) => [tags, error.platformCode],
  )
  expect(given).toEqual([tags, code])
})
