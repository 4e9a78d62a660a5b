import { describe, expect, it } from 'vitest'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { conditionNotStated } from '#shared/item/placeholders.ts'
import { listingDraftOf } from './listing-draft.ts'

const listing = {
  listing_id: '1',
  url: 'https://www.ebay.com/itm/1',
  title: 'Flannel shirt',
  description: '<p>Soft &amp; warm.</p><ul><li>Size: M</li></ul>',
  price_minor: 4_350,
  currency: 'USD',
  state: 'available',
  images: ['https://i.ebayimg.com/1.jpg'],
} as const

describe('listingDraftOf', () => {
  it('converts eBay’s HTML to plain text', () => {
    const draft = listingDraftOf(inventoryItem('ebay', { ...listing, images: [...listing.images] }), sampleTask(), 'us')
    expect(draft.description).toBe('Soft & warm.\nSize: M')
  })

  it('leaves the condition empty if no listing has one', () => {
    const item = inventoryItem('ebay', { ...listing, images: [...listing.images] })
    item.record.condition.label = conditionNotStated
    expect(listingDraftOf(item, sampleTask(), 'us').condition).toBe('')
  })
})
