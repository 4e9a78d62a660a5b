import { expect, it } from 'vitest'
import { changedFields } from './changed-fields.ts'
import type { ItemContent } from './content.ts'

const coat: ItemContent = {
  sku: 'A-1',
  product_id: 'A-1',
  offer_id: 'offer',
  title: 'Green coat',
  description: 'Warm.',
  attributes: { brand: 'Pendleton', colors: ['green'] },
  images: ['https://i.example/1.jpg'],
  condition_label: 'Used',
  condition_notes: '',
  inspected_at: '2026-05-04',
  evidence_urls: [],
  price_minor: 8_500,
  currency: 'USD',
  state: 'available',
  observed_at: '2026-05-04T10:00:00.000Z',
  seller_url: 'https://shop.example/',
  shipping_policy_url: 'https://shop.example/shipping',
  returns_policy_url: 'https://shop.example/returns',
}

it('names each changed field with its old and new value', () => {
  const after: ItemContent = {
    ...coat,
    title: 'Green wool coat',
    price_minor: 9_000,
    sku: null,
    attributes: { colors: ['green', 'gray'], size: 'M', cost_minor: 1_200 },
    images: [...coat.images, 'https://i.example/2.jpg'],
    observed_at: '2026-06-01T10:00:00.000Z',
  }
  expect(changedFields(coat, after)).toEqual([
    { field: 'title', from: 'Green coat', to: 'Green wool coat' },
    { field: 'price', from: '85.00 USD', to: '90.00 USD' },
    { field: 'sku', from: 'A-1', to: null },
    { field: 'photos', from: '1', to: '2' },
    { field: 'brand', from: 'Pendleton', to: null },
    { field: 'colors', from: 'green', to: 'green, gray' },
    { field: 'cost', from: null, to: '12.00 USD' },
    { field: 'size', from: null, to: 'M' },
  ])
})

it('writes sizes and weights in units', () => {
  const box = { length_mm: 300, width_mm: 200, height_mm: 50 }
  const before = { ...coat, attributes: { parcel: box, weight_grams: 450 } }
  const after = { ...coat, attributes: { parcel: { ...box, height_mm: 1 }, weight_grams: 1_200 } }
  expect(changedFields(before, after)).toEqual([
    { field: 'parcel', from: '30 cm × 20 cm × 5 cm', to: '30 cm × 20 cm × 0.1 cm' },
    { field: 'weight_grams', from: '450 g', to: '1200 g' },
  ])
})

it('is empty for what only the server keeps', () => {
  expect(changedFields(coat, { ...coat, observed_at: '2026-06-01T10:00:00.000Z', offer_id: 'another' })).toEqual([])
})

it('cuts long values', () => {
  const [change] = changedFields(coat, { ...coat, description: 'x'.repeat(5_000) })
  expect(change?.to).toHaveLength(300)
})
