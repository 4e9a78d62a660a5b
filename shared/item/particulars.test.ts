import { describe, expect, it } from 'vitest'
import { describeForListing } from './describe-item.ts'
import { ofKinds, particularsOf } from './kind-particulars.ts'
import { kinds } from './kinds.ts'
import { particularNames, readParticular } from './particulars.ts'

describe('particulars of a kind', () => {
  it.each([
    ['Levi’s denim jacket, men’s L', 'pit_to_pit shoulders sleeve garment_length'],
    ['Levi 501 jeans', 'waist hips rise inseam leg_opening'],
    ['Nikon D700 digital camera', 'model serial_number shutter_count'],
    ['The Hobbit, first edition book', 'author publisher publication_year edition printing dust_jacket signed_by'],
    ['Something unheard of', 'width depth height'],
  ])('of “%s” follow from its words', (title, names) => {
    expect(particularsOf({ title }).join(' ')).toBe(names)
  })

  it('follow from the category where the title names no kind', () => {
    expect(particularsOf({ title: 'Rebecca', category: 'Clothing > Dresses' })).toContain('waist')
  })

  it('name known kinds and particulars only', () => {
    for (const [named, names] of ofKinds) {
      expect(named.split(', ').filter((kind) => !(kind in kinds))).toEqual([])
      expect(names.split(' ').filter((name) => !particularNames.includes(name as never))).toEqual([])
    }
  })
})

describe('readParticular', () => {
  it.each([
    ['pit_to_pit', '21.5', 'us', 546],
    ['waist', '17 1/2', 'us', 445],
    ['waist', '17½ in', 'us', 445],
    ['pit_to_pit', '54,6', 'metric', 546],
    ['pit_to_pit', '54.6 cm', 'us', 546],
    ['case_size', '36', 'us', 36],
    ['pit_to_pit', 'wide', 'us', null],
    ['pit_to_pit', '101 kg', 'us', null],
    ['pit_to_pit', '2000000 mm', 'us', null],
    ['serial_number', ' 2104417 ', 'us', '2104417'],
  ] as const)('reads %s from “%s” in %s units as %s', (name, typed, system, value) => {
    expect(readParticular(name, typed, system)).toBe(value)
  })
})

describe('describeForListing', () => {
  const attributes = { brand: 'Levi’s', particulars: { waist: 432, inseam: 813, serial_number: 'A<1>' } }
  const described = (description: string, system: 'us' | 'metric' = 'us') =>
    describeForListing({ description, attributes }, system)

  it('adds measurements and details to the description', () => {
    const block = 'Measurements\nWaist, laid flat: 17 in\nInseam: 32 in\n\nDetails\nSerial number: A<1>'
    expect(described('Worn twice.').description).toBe(`Worn twice.\n\n${block}`)
    expect(described('').description).toBe(block)
  })

  it('uses centimeters', () => {
    expect(described('', 'metric').description).toContain('Waist, laid flat: 43.2 cm\nInseam: 81.3 cm')
  })

  it('adds them to a formatted description as HTML', () => {
    expect(described('<p>Worn</p>').description).toContain(
      '<p>Measurements<br>\nWaist, laid flat: 17 in<br>\nInseam: 32 in</p>\n<p>Details<br>\nSerial number: A&lt;1&gt;</p>',
    )
  })

  it('repeats nothing that the description has', () => {
    const once = described('Worn.').description
    expect(described(once).description).toBe(once)
  })

  it('names aspects, a waist as its whole size', () => {
    expect(described('').attributes).toMatchObject({
      brand: 'Levi’s',
      'waist size': '34 in',
      inseam: '32 in',
      'serial number': 'A<1>',
    })
  })

  it('leaves an aspect that the seller gave', () => {
    const given = { description: '', attributes: { ...attributes, inseam: '30 in' } }
    expect(describeForListing(given, 'us').attributes.inseam).toBe('30 in')
  })

  it('says that a signed book is signed', () => {
    const book = { description: '', attributes: { particulars: { signed_by: 'Ursula K. Le Guin' } } }
    expect(describeForListing(book, 'us').attributes).toMatchObject({ 'signed by': 'Ursula K. Le Guin', signed: 'Yes' })
  })
})
