import { expect, it } from 'vitest'
import { estimateFee } from './estimate-fee.ts'

it.each([
  ['ebay', 10_000, 1_400],
  ['ebay', 1_000, 166],
  ['etsy', 10_000, 995],
  ['poshmark', 1_400, 295],
  ['poshmark', 10_000, 2_000],
  ['mercari', 10_000, 1_000],
  ['depop', 10_000, 375],
  ['outside', 10_000, 0],
] as const)('estimates the fee of a sale on %s for %i cents', (platform, price, fee) => {
  expect(estimateFee(platform, price, 'USD')).toBe(fee)
})

it('never exceeds the price and skips foreign currencies', () => {
  expect(estimateFee('poshmark', 200, 'USD')).toBe(200)
  expect(estimateFee('ebay', 0, 'USD')).toBe(0)
  expect(estimateFee('ebay', 10_000, 'EUR')).toBeNull()
})
