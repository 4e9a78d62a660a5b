import { describe, expect, it } from 'vitest'
import { changedPrice, maxPriceMinor, priceOnPlatform } from './price-change.ts'
import { PriceChange, PriceRule, type Rounding } from './price-schemas.ts'

const usd = (price_minor: number) => ({ price_minor, currency: 'USD' })
const jpy = (price_minor: number) => ({ price_minor, currency: 'JPY' })
const kwd = (price_minor: number) => ({ price_minor, currency: 'KWD' })
const percent = (basis_points: number, rounding: Rounding = 'none') =>
  ({ by: 'percent', basis_points, rounding }) as const
const amount = (amount_minor: number, rounding: Rounding = 'none') =>
  ({ by: 'amount', amount_minor, currency: 'USD', rounding }) as const

describe('changing a price', () => {
  it('takes off and adds percent exactly, halves up', () => {
    expect(changedPrice(usd(10_000), percent(-2_000))).toEqual({ price_minor: 8_000 })
    expect(changedPrice(usd(1_999), percent(500))).toEqual({ price_minor: 2_099 })
    expect(changedPrice(usd(10), percent(500))).toEqual({ price_minor: 11 })
    expect(changedPrice(usd(1), percent(4_999))).toEqual({ price_minor: 1 })
    expect(changedPrice(usd(899_999_999_999), percent(1_111))).toEqual({ price_minor: 999_989_999_999 })
  })

  it('adds an amount in its own currency', () => {
    expect(changedPrice(usd(2_000), amount(-250))).toEqual({ price_minor: 1_750 })
    expect(changedPrice(jpy(2_000), amount(-250))).toEqual({ reason: 'other_currency' })
  })

  it('sets a price, also where there was none', () => {
    const change = { by: 'price', price_minor: 2_500, currency: 'USD' } as const
    expect(changedPrice(usd(0), change)).toEqual({ price_minor: 2_500 })
    expect(changedPrice(jpy(4_000), change)).toEqual({ reason: 'other_currency' })
  })

  it('says why an item gets no price', () => {
    expect(changedPrice(usd(0), percent(500))).toEqual({ reason: 'no_price' })
    expect(changedPrice(usd(200), amount(-200))).toEqual({ reason: 'not_positive' })
    expect(changedPrice(usd(200), amount(-201, '99'))).toEqual({ reason: 'not_positive' })
    expect(changedPrice(usd(maxPriceMinor), percent(1))).toEqual({ reason: 'too_high' })
  })

  it.each<[Rounding, number, number]>([
    ['whole', 2_450, 2_500],
    ['whole', 2_449, 2_400],
    ['whole', 20, 100],
    ['99', 2_400, 2_399],
    ['99', 2_448, 2_399],
    ['99', 2_449, 2_499],
    ['99', 2_499, 2_499],
    ['99', 5, 99],
    ['95', 2_400, 2_395],
    ['95', 2_444, 2_395],
    ['95', 2_445, 2_495],
  ])('rounds to %s: %i gives %i', (rounding, from, to) => {
    expect(changedPrice(usd(from), percent(0, rounding))).toEqual({ price_minor: to })
  })

  it('rounds a rounded price to itself', () => {
    for (const rounding of ['whole', '99', '95'] as const) {
      for (let price_minor = 1; price_minor < 700; price_minor++) {
        const once = priceOnPlatform(usd(price_minor), { basis_points: 0, rounding })
        expect(priceOnPlatform(usd(once), { basis_points: 0, rounding })).toBe(once)
      }
    }
  })

  it('uses endings only for currencies with two decimals', () => {
    expect(changedPrice(jpy(2_449), percent(0, '99'))).toEqual({ price_minor: 2_449 })
    expect(changedPrice(jpy(2_449), percent(0, 'whole'))).toEqual({ price_minor: 2_449 })
    expect(changedPrice(kwd(2_449), percent(0, '99'))).toEqual({ price_minor: 2_000 })
    expect(changedPrice(kwd(2_500), percent(0, 'whole'))).toEqual({ price_minor: 3_000 })
  })
})

describe('the price on a platform', () => {
  it('follows the rule', () => {
    expect(priceOnPlatform(usd(3_000), { basis_points: 800, rounding: '99' })).toBe(3_199)
    expect(priceOnPlatform(jpy(3_000), { basis_points: 800, rounding: '99' })).toBe(3_240)
  })

  it("is the item's own without a rule or without a price", () => {
    expect(priceOnPlatform(usd(3_000), null)).toBe(3_000)
    expect(priceOnPlatform(usd(0), { basis_points: 800, rounding: '99' })).toBe(0)
  })

  it('is always a price that a listing can have', () => {
    expect(priceOnPlatform(usd(1), { basis_points: -9_900, rounding: 'none' })).toBe(1)
    expect(priceOnPlatform(usd(maxPriceMinor), { basis_points: 100_000, rounding: '99' })).toBe(maxPriceMinor)
  })
})

it('accepts no fraction of a hundredth of a percent and no free price', () => {
  expect(PriceRule.safeParse({ basis_points: 0.5 }).success).toBe(false)
  expect(PriceRule.parse({ basis_points: 800 })).toEqual({ basis_points: 800, rounding: 'none' })
  expect(PriceChange.safeParse({ by: 'price', price_minor: 0, currency: 'USD' }).success).toBe(false)
  expect(PriceChange.safeParse({ by: 'percent', basis_points: -10_000 }).success).toBe(false)
})
