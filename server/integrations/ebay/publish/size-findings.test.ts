import { describe, expect, it } from 'vitest'
import { knownValue, standardSize } from '#server/integrations/item-texts/item-details.ts'
import type { PublishRequest } from '#server/integrations/port.ts'
import type { AllowedCondition, EbayCondition } from '../condition.ts'
import { sizeFindings } from './aspect-findings.ts'
import type { Aspect } from './aspect-forms.ts'

/*
 * Sizes as eBay's announcement of size standardization names them: "Small" becomes "S", "See description" and "N/A" are
 * no sizes (developer.ebay.com, from June 2026 on).
 */

const conditions = (...names: EbayCondition[]): AllowedCondition[] =>
  names.map((condition) => ({ condition, name: '' }))
const worn = conditions('NEW', 'NEW_OTHER', 'PRE_OWNED_EXCELLENT', 'USED_EXCELLENT', 'PRE_OWNED_FAIR')
const plain = conditions('NEW', 'USED_EXCELLENT', 'FOR_PARTS_OR_NOT_WORKING')
/** eBay has no policy of conditions for the category, so all of its conditions count. */
const unknown = [...worn, ...plain]

function aspect(name: string, values: string[], change: { required?: boolean } = {}): Aspect {
  return {
    localizedAspectName: name,
    aspectConstraint: { aspectRequired: change.required ?? false, aspectMode: 'FREE_TEXT' },
    aspectValues: values.map((localizedValue) => ({ localizedValue })),
  }
}
const request = (aspects: Record<string, string[]>, marketplace_id = 'EBAY_US') =>
  ({ options: { aspects, marketplace_id }, attributes: {}, title: '' }) as unknown as PublishRequest
const letters = ['XS', 'S', 'M', 'L', 'XL', '2XL', 'One Size', '8', '10']

describe('sizes of clothing and shoes on eBay', () => {
  it.each([
    ['a standard size', { Size: ['M'] }, []],
    ['a clear one', { Size: ['Small'] }, ['changed']],
    ['another clear one', { Size: ['size 10'] }, ['changed']],
    ['words', { Size: ['See description'] }, ['recommended']],
    ['an abbreviation', { Size: ['N/A'] }, ['recommended']],
    ['a part of a size', { Size: ['M/'] }, ['recommended']],
    ['a size of another system', { Size: ['UK 8'] }, ['recommended']],
    ['no size', {}, ['recommended']],
    ['an empty size', { Size: [] }, ['recommended']],
  ] as const)('are checked for %s', (_, aspects, codes) => {
    const given = Object.fromEntries(Object.entries(aspects).map(([name, values]) => [name, [...values]]))
    const found = sizeFindings(request(given), [aspect('Size', letters), aspect('Brand', ['Lee'])], worn)
    expect(found.map(({ code }) => code)).toEqual(codes)
    for (const { field, blocking, allowed } of found) {
      expect([field, blocking]).toEqual(['options.aspects.Size', false])
      expect(allowed?.map(({ id }) => id)).toEqual(letters)
    }
  })

  it('say what a clear size becomes', () => {
    const [found] = sizeFindings(request({ Size: ['Extra Large'] }), [aspect('Size', letters)], worn)
    expect(found?.message).toContain('"Extra Large"')
    expect(found?.message).toContain('"XL"')
  })

  it('are asked for in the words of a site', () => {
    const known = [aspect('EU-Schuhgröße', ['42', '42,5', '43'])]
    expect(sizeFindings(request({ 'EU-Schuhgröße': ['UK 8'] }, 'EBAY_DE'), known, worn)).toMatchObject([
      { field: 'options.aspects.EU-Schuhgröße', code: 'recommended' },
    ])
    expect(sizeFindings(request({ 'EU-Schuhgröße': ['EU 42'] }, 'EBAY_DE'), known, worn)).toMatchObject([
      { code: 'changed' },
    ])
  })

  it('need one of several systems', () => {
    const known = [aspect('US Shoe Size', ['9', '10']), aspect('EU Shoe Size', ['42', '43'])]
    expect(sizeFindings(request({ 'US Shoe Size': ['9'] }), known, worn)).toEqual([])
    expect(sizeFindings(request({}), known, worn)).toHaveLength(1)
  })

  it('are asked for as a choice where they are required', () => {
    expect(sizeFindings(request({}), [aspect('Size', letters, { required: true })], worn)).toEqual([])
  })

  it.each([
    ['cameras', plain],
    ['a category without a policy', unknown],
  ])('are not checked for %s', (_, allowed) => {
    expect(sizeFindings(request({ Size: ['24 x 36 in'] }), [aspect('Size', letters)], allowed)).toEqual([])
  })
})

describe('standard sizes', () => {
  it.each([
    ['Small', ['S', 'Small'], null],
    ['small', ['S', 'M'], 'S'],
    ['UK 8', ['8', '10'], null],
    ['US 8', ['8', '10'], '8'],
    ['EU 38', ['38'], null],
  ])('fit "%s" among %j as %s in the US', (size, allowed, standard) => {
    expect(standardSize(size, allowed, 'us')).toBe(standard)
  })

  it.each([
    ['EBAY_GB', 'UK 12', '12'],
    ['EBAY_US', 'UK 12', 'UK 12'],
    ['EBAY_DE', 'EU 38', '38'],
    ['EBAY_US', 'US 12', '12'],
  ])('of %s suggest "%s" as "%s"', (site, size, suggested) => {
    const item = { ...request({}, site), attributes: { size } }
    expect(knownValue('Size', ['12', '38'], true, item)?.value ?? null).toBe(suggested)
  })
})
