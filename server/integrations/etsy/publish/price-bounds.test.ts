import { describe, expect, it } from 'vitest'
import type { PublishRequest } from '#server/integrations/port.ts'
import { etsyFindings } from './findings.ts'

const codesAt = (price_minor: number, currency: string) =>
  etsyFindings(
    {
      title: 'Jug',
      images: ['https://p.example.com/1.jpg'],
      options: {},
      price_minor,
      currency,
    } as unknown as PublishRequest,
    { categories: new Map(), shopCurrency: currency, year: 2026 },
  ).map(({ code, blocking }) => `${code}${blocking ? ' blocking' : ''}`)

describe('a price on Etsy', () => {
  it.each([
    [20, 'USD'],
    [5_000_000, 'USD'],
    [18, 'EUR'],
    [16, 'GBP'],
    [442_000, 'VND'],
    [4_420, 'VND'],
    [700, 'TWD'],
    [32, 'JPY'],
    [7_000_000, 'JPY'],
    [1, 'XYZ'],
  ])('may be %i minor units of %s', (price, currency) => expect(codesAt(price, currency)).toEqual([]))

  it.each([
    [19, 'USD'],
    [12, 'EUR'],
    [10, 'GBP'],
    [20, 'CAD'],
    [20, 'AUD'],
    [20, 'MXN'],
    [20, 'SEK'],
    [2_000, 'VND'],
    [20, 'TWD'],
    [1, 'JPY'],
    [20, 'JPY'],
  ])('must not be as low as %i minor units of %s', (price, currency) =>
    expect(codesAt(price, currency)).toEqual(['price_too_low blocking']),
  )

  it.each([
    [5_000_001, 'USD'],
    [5_500_000, 'EUR'],
    [4_500_000, 'GBP'],
    [10_000_000, 'JPY'],
    [2_000_000_000, 'VND'],
  ])('must not be as high as %i minor units of %s', (price, currency) =>
    expect(codesAt(price, currency)).toEqual(['invalid_price blocking']),
  )
})
