import { expect, it } from 'vitest'
import { sinceText, withLocalMoney } from './format.ts'

it.each([
  ['Listed on eBay for 1249.90 EUR', 'Listed on eBay for €1,249.90'],
  ['24.50 GBP', '£24.50'],
  ['Price on Etsy changed to 2400 JPY', 'Price on Etsy changed to ¥2,400'],
  ['Camera 35 MM, 50 EU, size 38 UK', 'Camera 35 MM, 50 EU, size 38 UK'],
  ['Order 7-24.50 EUR-X, 24.505 EUR', 'Order 7-24.50 EUR-X, 24.505 EUR'],
])('formats the amounts of "%s"', (text, formatted) => {
  expect(withLocalMoney(text)).toBe(formatted)
})

it.each([
  ['2026-06-18T08:05:00', /8:05/],
  ['2026-06-17T23:00:00', /^Wednesday$/],
  ['2026-06-12T13:00:00', /^Friday$/],
  ['2026-06-11T13:00:00', /^Jun 11, 2026$/],
])('says since when, as of Thursday noon: %s', (at, words) => {
  expect(sinceText(Date.parse(at), Date.parse('2026-06-18T12:00:00'))).toMatch(words)
})
