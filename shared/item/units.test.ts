import { expect, it } from 'vitest'
import {
  lengthText,
  lengthUnit,
  readMeasure,
  readSides,
  systemOfLocales,
  unitOf,
  weightText,
  weightUnit,
} from './units.ts'

it.each([
  [['en-US'], 'us'],
  [['en'], 'us'],
  [['es-PR', 'de-DE'], 'us'],
  [['en-GB'], 'metric'],
  [['en-CA', 'en-US'], 'metric'],
  [['de', 'de-AT'], 'metric'],
])('takes the units of %j: %s', (locales, system) => expect(systemOfLocales(locales)).toBe(system))

it.each([
  ['1 lb 4 oz', 567],
  ['1lb 4oz', 567],
  ['1.5 lbs', 680],
  ['20', 567],
  ['12.5 oz', 354],
  ['450 g', 450],
  ['0,5 kg', 500],
  ['.5 lb', 227],
  ['', null],
  ['heavy', null],
  ['12 in', null],
  ['1 lb 4', null],
  ['0', null],
  ['-3 oz', null],
])('reads the weight %j in ounces as %s g', (text, weight) => expect(readMeasure(text, weightUnit.us)).toBe(weight))

it.each([
  ['12.25', 'us', 311],
  ['12.25"', 'us', 311],
  ['31 cm', 'us', 310],
  ['30', 'metric', 300],
  ['300 mm', 'metric', 300],
] as const)('reads the length %j of the system %s as %i mm', (text, system, length) =>
  expect(readMeasure(text, lengthUnit[system])).toBe(length),
)

it('writes weights and lengths so that they are read back as the same', () => {
  expect(weightText(567, 'us')).toBe('1 lb 4 oz')
  expect([weightText(454, 'us'), weightText(28, 'us'), weightText(450, 'metric')]).toEqual(['1 lb', '1 oz', '450 g'])
  expect([lengthText(311, 'us'), lengthText(305, 'us'), lengthText(300, 'us')]).toEqual([
    '12.25 in',
    '12 in',
    '11.81 in',
  ])
  expect(lengthText(305, 'metric')).toBe('30.5 cm')
  for (let size = 1; size < 3_000; size++) {
    expect(Math.abs(readMeasure(weightText(size, 'us'), weightUnit.us)! - size)).toBeLessThanOrEqual(1)
    expect(readMeasure(weightText(size, 'metric'), weightUnit.metric)).toBe(size)
    for (const system of ['us', 'metric'] as const) {
      expect(readMeasure(lengthText(size, system), lengthUnit[system])).toBe(size)
    }
  }
})

it('reads the three sides of a parcel', () => {
  expect(readSides('300 x 200 x 100')).toEqual([300, 200, 100])
  expect(readSides('12 x 8 x 4', unitOf('in'))).toEqual([305, 203, 102])
  expect(readSides('30×20×10 cm')).toEqual([300, 200, 100])
  expect(readSides('12 in x 8 in x 4 in')).toEqual([305, 203, 102])
  expect([readSides('12 x 8'), readSides('a x b x c'), readSides('')]).toEqual([null, null, null])
})
