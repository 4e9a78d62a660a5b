import { expect, it } from 'vitest'
import { withLocalMoney } from './format.ts'

it.each([
  ['Listed on eBay for 1249.90 EUR', 'Listed on eBay for €1,249.90'],
  ['24.50 GBP', '£24.50'],
  ['Price on Etsy changed to 2400 JPY', 'Price on Etsy changed to ¥2,400'],
  ['Camera 35 MM, 50 EU, size 38 UK', 'Camera 35 MM, 50 EU, size 38 UK'],
  ['Order 7-24.50 EUR-X, 24.505 EUR', 'Order 7-24.50 EUR-X, 24.505 EUR'],
])('formats the amounts of "%s"', (text, formatted) => {
  expect(withLocalMoney(text)).toBe(formatted)
})
