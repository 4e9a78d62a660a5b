import { expect, it } from 'vitest'
import { sizesDiffer } from './size-parts.ts'

it.each([
  ['32x30', '30x32'],
  ['W32 L30', '30x32'],
  ['W 34 L 32', 'W 32 L 34'],
  ['34B', '34D'],
  ['36C', '36DD'],
  ['9 2E', '9 D'],
  ['9 wide', '9 narrow'],
  ['6 months', '6 years'],
  ['24 mo', '2T'],
  ['2T', '2'],
  ['14W', '14'],
  ['MP', 'M'],
  ['XLT', 'XL'],
  ['M', 'Medium Petite'],
  ['42R', '42L'],
  ['8', '8.5'],
  ['Medium', 'L'],
  ['Extra Large', 'L'],
])('%s is another size than %s', (one, other) => {
  expect([sizesDiffer(one, other), sizesDiffer(other, one)]).toEqual([true, true])
})

it.each([
  ['32x30', 'W32L30'],
  ['32 x 30', '32X30'],
  ['32x30', '32'],
  ['W32', '32'],
  ['Medium', 'M (8-10)'],
  ['8', 'M (8-10)'],
  ['US 8', '8'],
  ["Women's 8", '8.0'],
  ['10-12', '10'],
  ['S/M', 'M'],
  ['Extra Large', 'XL'],
  ['2XL', 'XXL'],
  ['9 D', '9'],
  ['9 EE', '2E 9'],
  ['34 B', '34b'],
  ['42R', '42 Regular'],
  ['6 months', '6 mo'],
  ['One Size', '34B'],
  ['M', '8'],
])('%s may be the same size as %s', (one, other) => {
  expect([sizesDiffer(one, other), sizesDiffer(other, one)]).toEqual([false, false])
})
