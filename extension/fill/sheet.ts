import type { InventoryItem } from '#shared/contract/inventory.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'
import { conditionNotStated } from '#shared/inventory-record.ts'
import { plainText } from '../stock/plain-text.ts'

/** What goes into a sell form, whichever platform it is of. Null and empty: the item does not say. */
export interface Sheet {
  task: string
  title: string
  description: string
  price_minor: number
  currency: string
  /** The label of the record's condition, in a platform's words or the seller's. Empty: nobody said. */
  condition: string
  size: string | null
  brand: string | null
  /** From the widest to the narrowest, such as Women, Dresses, Midi. */
  category: string[]
  colors: string[]
  sku: string | null
  /** How many pictures there are. */
  pictures: number
}

/** The sheet of an item for a task: the task's price, where it has one, is what the seller asked to list it for. */
export function sheetOf(item: InventoryItem, task: ExtensionTask): Sheet {
  const { record, attributes } = item
  const own = task.price_minor !== null && task.currency !== null
  return {
    task: task.uid,
    title: oneLine(record.title),
    description: plainText(item.description).replace(/\r\n?/g, '\n').trim(),
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

/** Platforms write paths with ` > `, eBay with `:`. */
function pathOf(category: string): string[] {
  return category
    .split(category.includes('>') ? '>' : ':')
    .map(oneLine)
    .filter((part) => part !== '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
