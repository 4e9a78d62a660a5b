import { conditionOfId, conditions } from '#server/integrations/ebay/condition.ts'
import type { FileFormat } from '#shared/contract/inventory-files.ts'
import type { Cells } from './columns.ts'

/** How a file of another program becomes rows of ours. */
export interface Preset {
  format: FileFormat
  /** Columns that only this program's files have. Enough of them recognize the file. */
  marks: readonly string[]
  enough: number
  /** Our column for each of theirs. Of several with a text, the first counts. */
  columns: Readonly<Record<string, string>>
  /** Columns with a picture each. */
  pictures?: RegExp
  /** The column with the pieces on offer; `quantity` by default. */
  quantity?: string
  /** Completes a row, or says why it is left out. */
  complete?: (theirs: Cells, ours: Record<string, string>) => string | null
}

/** Columns that resellers' tools name alike. */
const common = {
  ...{ title: 'title', item_title: 'title', description: 'description', sku: 'sku', item_number: 'sku' },
  ...{ price: 'price', listing_price: 'price', currency: 'currency', condition: 'condition' },
  ...{ condition_description: 'condition_notes', brand: 'brand', size: 'size', category: 'category' },
  ...{ color: 'colors', colors: 'colors', material: 'material', materials: 'material' },
  ...{ cost_of_goods: 'cost', cogs: 'cost', cost: 'cost', upc: 'upc', isbn: 'isbn', mpn: 'mpn' },
  ...{ images: 'images', image_urls: 'images', photos: 'images', image: 'images' },
}

/** eBay's file names the currency in the heading of its first column. */
const ebayAction = /^\*?action\b/

/**
 * Presets in their order of precedence; docs/files.md says where the columns come from. Names are in lower case, with
 * underscores for blanks and without eBay's asterisks.
 */
export const presets: readonly Preset[] = [
  {
    format: 'ebay',
    // File Exchange, the listing and draft templates of Seller Hub, and its report of active listings.
    marks: [
      ...['action', 'startprice', 'conditionid', 'picurl', 'customlabel', 'item_photo_url', 'condition_id'],
      ...['available_quantity', 'ebay_category_1_name', 'listing_site'],
    ],
    enough: 2,
    columns: {
      ...{ title: 'title', description: 'description', customlabel: 'sku', 'custom_label_(sku)': 'sku' },
      ...{ startprice: 'price', current_price: 'price', start_price: 'price', price: 'price', currency: 'currency' },
      ...{ picurl: 'images', item_photo_url: 'images', condition: 'condition', conditionid: 'condition' },
      ...{ condition_id: 'condition', conditiondescription: 'condition_notes', ebay_category_1_name: 'category' },
      ...{ 'c:brand': 'brand', 'c:size': 'size', 'c:color': 'colors', 'c:material': 'material', 'c:mpn': 'mpn' },
      ...{ 'product:upc': 'upc', 'product:ean': 'ean', 'product:isbn': 'isbn' },
      ...{ 'p:upc': 'upc', 'p:ean': 'ean', 'p:isbn': 'isbn', upc: 'upc' },
    },
    quantity: 'available_quantity',
    complete: (theirs, ours) => {
      const number = /^\d{4}/.exec(ours.condition ?? '')?.[0]
      const known = number && conditionOfId(number)
      if (known) ours.condition = conditions[known]
      const action = theirs.action?.toLowerCase()
      return action === 'end' || action === 'delete' ? `has the action ${theirs.action}` : null
    },
  },
  {
    format: 'etsy',
    marks: ['currency_code', 'materials', 'image1', 'variation_1_type', 'tags'],
    enough: 3,
    columns: {
      ...{ title: 'title', description: 'description', price: 'price', currency_code: 'currency', sku: 'sku' },
      materials: 'material',
    },
    pictures: /^image\d+$/,
  },
  {
    format: 'crosslist',
    // Its template names "Category id", its export "CategoryLabel".
    marks: ['category_id', 'size_id', 'when_made', 'categorylabel', 'sizelabel', 'lastlistedon', 'costofgoods'],
    enough: 2,
    columns: {
      ...common,
      ...{ categorylabel: 'category', sizelabel: 'size', costofgoods: 'cost', secondary_color: 'more_colors' },
      color2: 'more_colors',
    },
    complete: (theirs, ours) => {
      if (ours.condition) ours.condition = inWords(ours.condition)
      return theirs.sold ? 'is sold there' : null
    },
  },
  {
    format: 'vendoo',
    marks: [
      ...['cost_of_goods', 'listed_date', 'listing_platforms', 'sold_platform', 'price_sold', 'marketplace_fees'],
      ...['internal_notes', 'quantity_left'],
    ],
    enough: 2,
    columns: { ...common, primary_color: 'colors', secondary_color: 'more_colors' },
    quantity: 'quantity_left',
    complete: (theirs, ours) => {
      if (ours.sku === 'undefined') delete ours.sku
      return leaveSold(theirs)
    },
  },
  {
    format: 'list_perfectly',
    marks: ['cogs', 'sold_platform', 'keywords', 'created_date', 'image_urls'],
    enough: 2,
    columns: common,
    complete: leaveSold,
  },
]

/** Returns a condition such as `NewWithTags` in words. */
function inWords(condition: string): string {
  const words = condition.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Items are one of a kind, so a sold one must not be offered again. */
function leaveSold(theirs: Cells): string | null {
  const status = theirs.status?.trim().toLowerCase()
  return status === 'sold' || theirs.date_sold || theirs.sold_date ? 'is sold there' : null
}

/** Returns the preset of a file by its column names; null for a file in our own format, or an unknown one. */
export function presetOf(names: readonly string[]): Preset | null {
  if (names.includes('uid')) return null
  const has = new Set(names)
  return presets.find(({ marks, enough }) => marks.filter((name) => has.has(name)).length >= enough) ?? null
}

/** Returns a column's name as presets know it. */
export function bareName(name: string): string {
  const lower = name.trim().toLowerCase().replaceAll(' ', '_')
  return ebayAction.test(lower) ? 'action' : lower.replace(/^\*/, '')
}

/** Returns the currency that the heading of eBay's action column names. */
export function currencyIn(headings: readonly string[]): string | null {
  const action = headings.find((heading) => ebayAction.test(heading.trim().toLowerCase()))
  return /Currency=([A-Z]{3})\b/.exec(action ?? '')?.[1] ?? null
}

/** Returns a row in our columns, and why it is left out, if it is. */
export function translateRow(
  preset: Preset,
  theirs: Cells,
  currency: string | null,
): { cells: Cells; left: string | null } {
  const ours: Record<string, string> = {}
  for (const [name, column] of Object.entries(preset.columns)) {
    const text = theirs[name]?.trim()
    if (text && !ours[column]) ours[column] = text
  }
  if (preset.pictures) ours.images = picturesOf(preset.pictures, theirs)
  if (ours.images) ours.images = ours.images.split('|').join('\n')
  const colors = [ours.colors, ours.more_colors].filter(Boolean).join(',')
  delete ours.more_colors
  if (colors) ours.colors = colors.split(/[,/|]/).join('\n')
  if (currency && !ours.currency) ours.currency = currency
  const pieces = Number(theirs[preset.quantity ?? 'quantity'] ?? theirs.quantity ?? 1)
  const left = preset.complete?.(theirs, ours) ?? (pieces > 1 ? 'offers more than one' : null)
  return { cells: ours, left }
}

function picturesOf(pictures: RegExp, theirs: Cells): string {
  const names = Object.keys(theirs).filter((name) => pictures.test(name) && theirs[name])
  return names.map((name) => theirs[name]).join('\n')
}
