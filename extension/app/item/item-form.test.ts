import { describe, expect, it } from 'vitest'
import { sampleItem } from '#extension/testing/sample-inventory.ts'
import { changeOf, checkForm, copyOf, emptyForm, formOf, mergeForms, newItemOf, refusedFields } from './item-form.ts'

const item = sampleItem(0, {
  description: '<p>Warm &amp; green</p>',
  attributes: { brand: 'Marlowe', cost_minor: 1_250, storage_location: 'Shelf B', decade: '1970s' },
})

describe('a change of an item', () => {
  it('has only the touched fields and the version that was seen', () => {
    expect(changeOf(formOf(item), item)).toEqual({ version: item.version })
    expect(changeOf({ ...formOf(item), title: ' Green coat ', price: '85' }, item)).toEqual({
      version: item.version,
      title: 'Green coat',
      offer: { price_minor: 8_500 },
    })
  })

  it('reads a decimal comma', () => {
    expect(changeOf({ ...formOf(item), price: '1.085,50', cost: '7,5' }, item)).toMatchObject({
      offer: { price_minor: 108_550 },
      attributes: { cost_minor: 750 },
    })
  })

  it('sends the price with a changed currency', () => {
    const priced = structuredClone(item)
    priced.record.offer.price_minor = 8_500
    expect(changeOf({ ...formOf(priced), currency: 'JPY' }, priced).offer).toEqual({ price_minor: 85, currency: 'JPY' })
  })

  it('keeps attributes that have no field', () => {
    expect(changeOf({ ...formOf(item), location: '', cost: '', colors: 'green, , navy' }, item).attributes).toEqual({
      brand: 'Marlowe',
      decade: '1970s',
      colors: ['green', 'navy'],
    })
  })

  it('keeps an HTML description that was not edited', () => {
    expect(formOf(item).description).toBe('Warm & green')
    expect(changeOf({ ...formOf(item), sku: '' }, item)).toEqual({ version: item.version, sku: null })
  })
})

describe('a form', () => {
  it('names what is missing or malformed', () => {
    expect(checkForm(emptyForm('USD'), { live: false })).toEqual({
      ...{ title: 'needed', condition: 'needed', price: 'needed', images: 'photo_needed' },
    })
    const wrong = { ...formOf(item), price: '1.500', cost: 'ten', weight: 'heavy' }
    expect(checkForm(wrong, { live: false })).toEqual({ price: 'amount', cost: 'amount', weight: 'weight' })
  })

  it('accepts a price of zero only while the item is not live', () => {
    const free = { ...formOf(item), price: '0' }
    expect(checkForm(free, { live: false })).toEqual({})
    expect(checkForm(free, { live: true })).toEqual({ price: 'above_zero' })
  })

  it('finds the fields that the server refuses', () => {
    expect(refusedFields(['offer.price_minor', 'images.3', 'attributes.storage_location', 'unknown'])).toEqual({
      ...{ price: 'refused', images: 'refused', location: 'refused' },
    })
  })
})

it('describes a duplicate without the SKU and the photos', () => {
  expect(checkForm(copyOf(item), { live: false })).toEqual({ images: 'photo_needed' })
  expect(newItemOf(copyOf(item))).toMatchObject({
    ...{ title: item.record.title, sku: null, images: [] },
    attributes: { brand: 'Marlowe', cost_minor: 1_250, storage_location: 'Shelf B' },
  })
})

it('merges edits into a newer version and names what changed there', () => {
  const newest = structuredClone(item)
  newest.version++
  newest.record.offer.price_minor = 9_900
  newest.record.title = 'Their title'
  const { form, theirs } = mergeForms({ ...formOf(item), title: 'My title', sku: 'MINE' }, item, newest)
  expect(form).toMatchObject({ title: 'My title', sku: 'MINE', price: '99.00' })
  expect(theirs).toEqual(['title', 'price'])
  expect(changeOf(form, newest)).toEqual({ version: newest.version, title: 'My title', sku: 'MINE' })
})

it('reads and shows the weight in the units of the seller’s country, and keeps one that was not touched', () => {
  const heavy = { ...item, attributes: { ...item.attributes, weight_grams: 566 } }
  expect(formOf(heavy).weight).toBe('1 lb 4 oz')
  expect(changeOf({ ...formOf(heavy), brand: 'Filson' }, heavy).attributes?.weight_grams).toBe(566)
  expect(changeOf({ ...formOf(heavy), weight: '2 lb' }, heavy).attributes?.weight_grams).toBe(907)
  expect(newItemOf({ ...formOf(heavy), weight: '450 g' }).attributes?.weight_grams).toBe(450)
  expect(checkForm({ ...formOf(heavy), weight: '3000 lb' }, { live: false })).toEqual({ weight: 'weight' })
})
