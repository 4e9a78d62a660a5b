import { describe, expect, it } from 'vitest'
import { amountText, decimalSignOf, readAmount } from './amount.ts'

describe('an amount that a seller types', () => {
  it.each([
    ['24', 'EUR', 2_400],
    ['24,5', 'EUR', 2_450],
    ['24,50', 'EUR', 2_450],
    ['24.50', 'EUR', 2_450],
    ['24,50', 'USD', 2_450],
    ['1.234,50', 'EUR', 123_450],
    ['1,234.50', 'GBP', 123_450],
    ['1 234,50', 'EUR', 123_450],
    ['1\u202f234,50', 'EUR', 123_450],
    ["1'234.50", 'CHF', 123_450],
    ['1.234.567', 'EUR', 123_456_700],
    ['1.500', 'JPY', 1_500],
    ['1,500', 'JPY', 1_500],
    ['45.00', 'JPY', 45],
    ['0', 'EUR', 0],
  ])('reads %s %s', (typed, currency, minor) => {
    expect(readAmount(typed, currency)).toBe(minor)
  })

  it.each([
    ['1.500', 'EUR'],
    ['1,500', 'EUR'],
    ['1.234', 'GBP'],
    ['0,500', 'USD'],
    ['1,50', 'JPY'],
    ['24,505', 'EUR'],
    ['1.234.50', 'EUR'],
    ['1,234,50', 'EUR'],
    ['1.23,50', 'EUR'],
    ['-5', 'EUR'],
    ['$5', 'EUR'],
    ['ten', 'EUR'],
    ['', 'EUR'],
  ])('does not guess what %s %s means', (typed, currency) => {
    expect(readAmount(typed, currency)).toBeNull()
  })

  it('reads thousandths by the sign of the language', () => {
    expect([readAmount('1.234', 'KWD', '.'), readAmount('1,234', 'KWD', '.')]).toEqual([1_234, null])
    expect([readAmount('1,234', 'KWD', ','), readAmount('1.234', 'KWD', ',')]).toEqual([1_234, null])
  })
})

it('shows an amount with the decimal sign of the language, which is read back', () => {
  expect([decimalSignOf('de-DE'), decimalSignOf('en-GB'), decimalSignOf('fr-CA')]).toEqual([',', '.', ','])
  expect([amountText(2_450, 'EUR', ','), amountText(2_450, 'EUR', '.'), amountText(2_450, 'JPY', ',')]).toEqual([
    ...['24,50', '24.50', '2450'],
  ])
  for (const sign of [',', '.'] as const) {
    for (const currency of ['EUR', 'JPY', 'KWD']) {
      for (const minor of [0, 5, 1_500, 123_456_789]) {
        expect(readAmount(amountText(minor, currency, sign), currency, sign)).toBe(minor)
      }
    }
  }
})
