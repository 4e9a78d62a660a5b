import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { conditionOf } from '../ebay/condition.ts'
import { normalizeItem } from '../ebay/read/normalize.ts'
import { parseXml } from '../ebay/xml.ts'
import { eraOf } from '../etsy/publish/listing-choices.ts'
import { normalizeListing } from '../etsy/read/normalize.ts'
import type { PublishRequest } from '../port.ts'
import { knownValue } from './item-details.ts'

const onEbay = (specifics: Record<string, string>) => {
  const list = Object.entries(specifics).map(
    ([name, value]) => `<NameValueList><Name>${name}</Name><Value>${value}</Value></NameValueList>`,
  )
  const status = '<CurrentPrice currencyID="EUR">49.5</CurrentPrice><ListingStatus>Active</ListingStatus>'
  const fields = `<Title>Mantel</Title><Quantity>1</Quantity><SellingStatus>${status}</SellingStatus>`
  const xml = `<Item><ItemID>110000000009</ItemID>${fields}<ItemSpecifics>${list.join('')}</ItemSpecifics></Item>`
  return normalizeItem(parseXml(xml).Item, { list: null })
}

const coat = {
  attributes: { brand: 'Jil Sander', size: '40', colors: ['Grau'], material: 'Wolle' },
  title: 'Mantel',
  description: '',
}

describe('details in the language of the site', () => {
  it.each([
    ['Germany', { Marke: 'Jil Sander', Größe: '40', Farbe: 'Grau', Obermaterial: 'Wolle' }],
    ['Germany, shoes', { Marke: 'Jil Sander', 'EU-Schuhgröße': '40', Farbe: 'Grau', Außenmaterial: 'Wolle' }],
    ['the UK', { Brand: 'Jil Sander', 'UK Shoe Size': '40', Colour: 'Grau', 'Upper Material': 'Wolle' }],
    ['France', { Marque: 'Jil Sander', Taille: '40', Couleur: 'Grau', Matière: 'Wolle' }],
    ['Italy', { Marca: 'Jil Sander', Taglia: '40', Colore: 'Grau', Materiale: 'Wolle' }],
    ['Spain', { Marca: 'Jil Sander', Talla: '40', Color: 'Grau', Material: 'Wolle' }],
    ['the Netherlands', { Merk: 'Jil Sander', Maat: '40', Kleur: 'Grau', Materiaal: 'Wolle' }],
    ['Poland', { Marka: 'Jil Sander', Rozmiar: '40', Kolor: 'Grau', Materiał: 'Wolle' }],
  ])('are read and sent on eBay in %s', (_site, specifics) => {
    expect(onEbay(specifics)).toMatchObject({ brand: 'Jil Sander', size: '40', colors: ['Grau'], material: 'Wolle' })
    for (const [name, value] of Object.entries(specifics)) {
      expect(knownValue(name, [], true, coat as unknown as PublishRequest)?.value ?? null).toBe(value)
    }
  })

  it('are not taken from a name that only begins alike', () => {
    expect(onEbay({ Größentyp: 'Regulär', Bildschirmgröße: '24 Zoll', 'Size Type': 'Regular' })).not.toHaveProperty(
      'size',
      expect.anything(),
    )
    expect(knownValue('Size Type', [], true, coat as unknown as PublishRequest)?.value ?? null).toBeNull()
  })

  it.each([
    ['Marke', 'Größe', 'Farbe'],
    ['Marque', 'Pointure', 'Couleur'],
    ['Marca', 'Talla', 'Colore'],
  ])('are read from properties of an Etsy shop: %s, %s, %s', (brand, size, color) => {
    const fixture = JSON.parse(readFileSync(new URL('../etsy/fixtures/listing.json', import.meta.url), 'utf8'))
    const property_values = [
      { property_id: 513, property_name: brand, values: ['Jil Sander'] },
      { property_id: 514, property_name: size, values: ['40'] },
      { property_id: 515, property_name: color, values: ['Grau'] },
    ]
    const price = { amount: 4_950, divisor: 100, currency_code: 'EUR' }
    const products = [{ sku: '', offerings: [{ quantity: 1, price }], property_values }]
    expect(normalizeListing({ ...fixture, inventory: { products } })).toMatchObject({
      ...{ brand: 'Jil Sander', size: '40', colors: ['Grau'] },
    })
  })
})

it.each([
  ['Neu', 'NEW'],
  ['Neu mit Etikett', 'NEW'],
  ['Neu ohne Etikett', 'NEW_OTHER'],
  ['Neu: Sonstige (siehe Artikelbeschreibung)', 'NEW_OTHER'],
  ['Neu mit Fehlern', 'NEW_WITH_DEFECTS'],
  ['Neuwertig', 'LIKE_NEW'],
  ['Gebraucht', 'USED_EXCELLENT'],
  ['Sehr gut', 'USED_VERY_GOOD'],
  ['Gut', 'USED_GOOD'],
  ['Akzeptabel', 'USED_ACCEPTABLE'],
  ['Als Ersatzteil / defekt', 'FOR_PARTS_OR_NOT_WORKING'],
  ['Vom Verkäufer generalüberholt', 'SELLER_REFURBISHED'],
  ['Neuf sans étiquettes', 'NEW_OTHER'],
  ['Neuf avec défauts', 'NEW_WITH_DEFECTS'],
  ['Très bon état', 'USED_VERY_GOOD'],
  ['Bon état', 'USED_GOOD'],
  ['Occasion', 'USED_EXCELLENT'],
  ['Nuovo senza etichette', 'NEW_OTHER'],
  ['Usato', 'USED_EXCELLENT'],
  ['Nuevo con etiquetas', 'NEW'],
  ['Usado', 'USED_EXCELLENT'],
  ['Zustand wie auf den Bildern', null],
])('takes the condition "%s" for %s', (label, condition) => {
  expect(conditionOf(label)).toBe(condition)
})

it('reads a German decade', () => {
  expect([eraOf('Mantel 1970er Jahre'), eraOf('Kleid der 60er'), eraOf('Größe 40')]).toEqual(['1970s', '1960s', null])
})
