import { describe, expect, it } from 'vitest'
import { formCurrency } from './form-currency.ts'

describe('the currency that the form takes', () => {
  it.each([
    ['Price£', null, 'GBP'],
    ['€ 0.00', null, 'EUR'],
    ['US$', null, 'USD'],
    ['A$', null, 'AUD'],
    ['Price in AUD', null, 'AUD'],
    ['£', 'US', 'GBP'],
    ['$', 'US', 'USD'],
    ['$', 'AU', 'AUD'],
    // Dollars of many countries look the same.
    ['$', null, null],
    ['$', 'GB', null],
    ['¥', 'GB', null],
    ['£ or €', 'GB', null],
  ])('beside the field stands "%s", the seller is in %s: %s', (words, country, currency) => {
    expect(formCurrency(words, country)).toBe(currency)
  })

  it.each([
    ['US', 'USD'],
    ['GB', 'GBP'],
    ['IT', 'EUR'],
    ['ZZ', null],
    [null, null],
  ])('no sign, the seller is in %s: %s', (country, currency) => {
    expect(formCurrency('Price', country)).toBe(currency)
  })
})
