import { expect, it } from 'vitest'
import { currencyOfLocales } from './locale-currency.ts'

it.each([
  [['en-US', 'en'], 'USD'],
  [['en-GB', 'en-US'], 'GBP'],
  [['de', 'de-CH'], 'CHF'],
  [['ja-JP'], 'JPY'],
  [['zh-Hant-TW'], 'TWD'],
  [['es-419', 'es-MX'], 'MXN'],
  [['en'], 'USD'],
  [[], 'USD'],
])('takes the currency of %j: %s', (locales, currency) => {
  expect(currencyOfLocales(locales)).toBe(currency)
})
