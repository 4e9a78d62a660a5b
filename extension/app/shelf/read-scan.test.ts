import { describe, expect, it } from 'vitest'
import { rowOf } from '#extension/storage/inventory-cache/row.ts'
import { sampleInventory } from '#extension/testing/sample-inventory.ts'
import { gtinOf, itemAddress, placeAddress, productField, readScan, scanHash } from './read-scan.ts'

const items = sampleInventory(4)
items[0]!.sku = 'COAT-7'
items[1]!.attributes.isbn = '0-306-40615-2'
items[2]!.attributes.upc = '036000291452'
items[3]!.attributes.upc = '036000291452'
items[3]!.record.lifecycle.state = 'sold'
const rows = items.map((item) => rowOf(item, 1))
const found = (code: string) =>
  readScan(code, rows).items?.map(({ uid }) => items.findIndex((item) => item.uid === uid))

describe('a scanned code', () => {
  it('finds the item of a label, whatever the server’s address was', () => {
    expect(found(itemAddress('https://hapax.example.com', items[2]!.uid))).toEqual([2])
    expect(found(itemAddress('http://127.0.0.1:8080', items[3]!.uid))).toEqual([3])
    expect(found('https://hapax.example.com/app/#item/inv_0000000000000000000000')).toEqual([])
  })

  it.each(['B-12', 'Shelf 3 / bin 4', '棚 3', '100 % wool', '#1?'])('names the place %s of its label', (place) => {
    expect(readScan(placeAddress('https://hapax.example.com', place), rows)).toEqual({ place })
  })

  it('takes a broken address of a place as it is', () => {
    expect(readScan('https://hapax.example.com/app/#scan/%E0%A4%A', rows)).toEqual({ place: '%E0%A4%A' })
  })

  it('leads to its place, its item, or to what it found', () => {
    const leads = (code: string) => scanHash(readScan(code, rows), code)
    expect(leads(placeAddress('https://hapax.example.com', 'B/12'))).toBe('scan/B%2F12')
    expect(leads('COAT-7')).toBe(`item/${items[0]!.uid}`)
    expect(leads('HAT 9')).toBe('scan//HAT%209')
  })

  it.each([
    ['COAT-7', [0]],
    [' coat-7 ', [0]],
    ['COAT', []],
    ['', []],
  ])('finds the SKU “%s” as a whole', (code, expected) => {
    expect(found(code)).toEqual(expected)
  })

  it.each(['0306406152', '9780306406157', '978-0-306-40615-7'])(
    'finds a book by %s in every form of an ISBN',
    (code) => {
      expect(found(code)).toEqual([1])
    },
  )

  it.each(['036000291452', '0036000291452'])('finds what is not sold by the product code %s', (code) => {
    expect(found(code)).toEqual([2])
  })

  it.each([
    ['9780306406157', 'isbn'],
    ['080442957X', 'isbn'],
    ['036000291452', 'upc'],
    ['4006381333931', 'ean'],
    ['4006381333932', null],
    ['COAT-7', null],
    ['12345', null],
  ])('belongs in the field of its kind: %s', (code, field) => {
    expect(productField(code)).toBe(field)
  })

  it('has one number for all forms of a product code', () => {
    expect(['96385074', '036000291452', '080442957x'].map(gtinOf)).toEqual([
      '0000096385074',
      '0036000291452',
      '9780804429573',
    ])
  })
})
