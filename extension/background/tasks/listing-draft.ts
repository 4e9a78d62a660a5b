import type { ListingDraft } from '#extension/platforms/sell-form/listing-draft.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { describeForListing } from '#shared/item/describe-item.ts'
import { withFlaws } from '#shared/item/flaws.ts'
import { conditionNotStated } from '#shared/item/placeholders.ts'
import type { System } from '#shared/item/units.ts'
import { plainText } from '#shared/plain-text.ts'

/**
 * Returns the draft for a task's sell form. A price on the task takes precedence over the item's. `system`: the units of
 * its measurements.
 */
export function listingDraftOf(item: InventoryItem, task: ExtensionTask, system: System): ListingDraft {
  const { record, attributes } = item
  const { description } = describeForListing(item, system)
  const own = task.price_minor !== null && task.currency !== null
  return {
    task: task.uid,
    title: oneLine(record.title),
    description: withFlaws(plainText(description).replace(/\r\n?/g, '\n'), attributes.flaws ?? []),
    price_minor: own ? task.price_minor! : record.offer.price_minor,
    currency: own ? task.currency! : record.offer.currency,
    condition: record.condition.label === conditionNotStated ? '' : oneLine(record.condition.label),
    size: oneLine(attributes.size ?? '') || null,
    brand: oneLine(attributes.brand ?? '') || null,
    category: pathOf(attributes.category ?? ''),
    colors: (attributes.colors ?? []).map(oneLine).filter((color) => color !== ''),
    sku: item.sku,
    pictures: record.images.length,
  }
}

/** eBay separates paths with `:`, other platforms with ` > `. */
function pathOf(category: string): string[] {
  return category
    .split(category.includes('>') ? '>' : ':')
    .map(oneLine)
    .filter((part) => part !== '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
