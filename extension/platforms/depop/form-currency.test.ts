import { describe, expect, it } from 'vitest'
import { formCurrency } from './form-currency.ts'

describe('formCurrency', () => {
  it.each([
    ['Price£', null, 'GBP'],
    ['€ 0.00', null, 'EUR'],
    ['US$', null, 'USD'],
    ['A$', null, 'AUD'],
    ['Price in AUD', null, 'AUD'],
    ['£', 'US', 'GBP'],
    ['$', 'US', 'USD'],
    ['$', 'AU', 'AUD'],
    // Several currencies share the dollar sign.
    ['$', null, null],
    ['$', 'GB', null],
    ['¥', 'GB', null],
    ['£ or €', 'GB', null],
  ])('beside the field "%s", seller in %s: %s', (words, country, currency) => {
    expect(formCurrency(words, country)).toBe(currency)
  })

  it.each([
    ['US', 'USD'],
    ['GB', 'GBP'],
    ['IT', 'EUR'],
    ['ZZ', null],
    [null, null],
  ])('no sign, seller in %s: %s', (country, currency) => {
    expect(formCurrency('Price', country)).toBe(currency)
  })
})
