import type { ItemContent } from '#server/catalog/inventory/content.ts'
import { invalidField } from '#server/infra/errors.ts'
import type { Attributes, FieldChange, InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { decimalFromMinor, minorFromDecimal } from '#shared/money.ts'

/** Columns that an import reads. */
const editable = [
  ...['uid', 'sku', 'title', 'description', 'price', 'currency', 'state', 'condition', 'condition_notes'],
  ...['inspected_at', 'evidence_urls', 'images', 'brand', 'size', 'colors', 'category', 'material'],
  ...[
    'isbn',
    'ean',
    'upc',
    'mpn',
    'weight_grams',
    'parcel_mm',
    'cost',
    'storage_location',
    'other_attributes',
    'product_id',
  ],
  ...['shipping_policy_url', 'returns_policy_url'],
]
/** Columns that an export has besides. */
const informing = ['listings', 'canonical_url', 'version', 'created_at', 'updated_at']

/** The columns of a file, in their order. */
export const columns: readonly string[] = [...editable, ...informing]

export type Cells = Readonly<Record<string, string>>

const texts = ['brand', 'size', 'category', 'material', 'isbn', 'ean', 'upc', 'mpn', 'storage_location'] as const

/** The content of an item from which its cells are made. */
type Content = Omit<ItemContent, 'offer_id' | 'observed_at' | 'seller_url'> & { uid: string }

/** Returns the cells of an item by column. Addresses that the server filled in are left empty. */
export function cellsOf(item: InventoryItem): Cells {
  const { record } = item
  const { condition, offer } = record
  const content: Content = {
    ...{ uid: item.uid, sku: item.sku, description: item.description, attributes: item.attributes },
    ...{ product_id: record.product_id, title: record.title, images: record.images, state: record.lifecycle.state },
    ...{ condition_label: condition.label, condition_notes: condition.notes },
    ...{ inspected_at: condition.inspected_at, evidence_urls: condition.evidence_urls },
    ...{ price_minor: offer.price_minor, currency: offer.currency },
    ...{ shipping_policy_url: offer.shipping_policy_url, returns_policy_url: offer.returns_policy_url },
  }
  return {
    ...editableCells(content, record.canonical_url),
    listings: joinLines((item.listings ?? []).map(({ platform, state, url }) => `${platform} ${state} ${url}`)),
    canonical_url: record.canonical_url,
    version: String(item.version),
    ...{ created_at: item.created_at, updated_at: item.updated_at },
  }
}

/** Returns the cells of the columns that an import reads. `page`: the item's own page, which stands in for addresses. */
export function editableCells(content: Content, page: string): Cells {
  const { colors, weight_grams, parcel, cost_minor, ...more } = content.attributes
  const others = Object.entries(more).filter(([name]) => !texts.includes(name as (typeof texts)[number]))
  const own = (url: string) => (url === page ? '' : url)
  return {
    ...{ uid: content.uid, sku: content.sku ?? '', title: content.title, description: content.description },
    price: decimalFromMinor(content.price_minor, content.currency),
    ...{ currency: content.currency, state: content.state },
    ...{ condition: content.condition_label, condition_notes: content.condition_notes },
    inspected_at: content.inspected_at,
    evidence_urls: joinLines(content.evidence_urls),
    images: joinLines(content.images),
    ...Object.fromEntries(texts.map((name) => [name, content.attributes[name] ?? ''])),
    colors: joinLines(colors ?? []),
    weight_grams: weight_grams === undefined ? '' : String(weight_grams),
    parcel_mm: parcel ? `${parcel.length_mm} x ${parcel.width_mm} x ${parcel.height_mm}` : '',
    cost: cost_minor === undefined ? '' : decimalFromMinor(cost_minor, content.currency),
    other_attributes: others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : '',
    product_id: content.product_id === (content.sku ?? content.uid) ? '' : content.product_id,
    shipping_policy_url: own(content.shipping_policy_url),
    returns_policy_url: own(content.returns_policy_url),
  }
}

/** Longer values of changes are cut. */
const longest = 300

/** Returns the columns in which an item differs, with old and new values. `before`: null for a new item. */
export function changesBetween(before: Cells | null, after: Cells): FieldChange[] {
  const text = (cell: string | undefined) => {
    if (!cell) return null
    return cell.length > longest ? `${cell.slice(0, longest - 1)}…` : cell
  }
  return editable.flatMap((field) => {
    if (field === 'uid' || (before?.[field] ?? '') === (after[field] ?? '')) return []
    return [{ field, from: text(before?.[field]), to: text(after[field]) }]
  })
}

/** Returns the columns in which a row differs from the item that it is about. */
export function changedColumns(cells: Cells, current: Cells): string[] {
  const currency = cells.currency || current.currency || ''
  return editable.filter((name) => {
    if (name === 'uid' || cells[name] === undefined || cells[name] === current[name]) return false
    // `30` and `30.00` are the same price.
    const isAmount = name === 'price' || name === 'cost'
    const amount = isAmount ? minorFromDecimal(cells[name] ?? '', currency) : null
    return amount === null || amount !== minorFromDecimal(current[name] ?? '', currency)
  })
}

/**
 * Returns what some columns of a row say, as the API takes it, not yet validated. `current`: the item's attributes.
 * Throws 400 for a price, parcel or attributes that cannot be read.
 */
export function readCells(
  cells: Cells,
  names: readonly string[],
  { current, currency }: { current: Attributes; currency: string | null },
): Record<string, unknown> {
  const has = (name: string) => names.includes(name)
  // A required field keeps its value, or gets its default.
  const filled = (name: string) => (has(name) && cells[name] ? cells[name] : undefined)
  const given: Record<string, unknown> = {
    title: filled('title'),
    sku: has('sku') ? cells.sku || null : undefined,
    description: has('description') ? cells.description : undefined,
    images: has('images') && cells.images ? splitUrls(cells.images) : undefined,
    product_id: filled('product_id'),
    attributes: readAttributes(cells, names, current, currency),
    condition: defined({
      label: filled('condition'),
      notes: has('condition_notes') ? cells.condition_notes : undefined,
      inspected_at: filled('inspected_at'),
      evidence_urls: has('evidence_urls') ? splitUrls(cells.evidence_urls ?? '') : undefined,
    }),
    offer: defined({
      price_minor: readPrice(cells, names, currency),
      currency: filled('currency'),
      shipping_policy_url: filled('shipping_policy_url'),
      returns_policy_url: filled('returns_policy_url'),
    }),
  }
  return defined(given) ?? {}
}

function readPrice(cells: Cells, names: readonly string[], currency: string | null): number | undefined {
  if (!names.includes('price') && !names.includes('currency')) return undefined
  return cells.price ? readAmount('price', cells, currency) : undefined
}

function readAmount(name: 'price' | 'cost', cells: Cells, currency: string | null): number {
  const amount = minorFromDecimal(cells[name] ?? '', cells.currency || currency || 'USD')
  if (amount === null) throw invalidField(name, 'invalid_price', 'must be a decimal such as 25.00')
  return amount
}

function readAttributes(cells: Cells, names: readonly string[], current: Attributes, currency: string | null): unknown {
  const known = [...texts, 'colors', 'weight_grams', 'parcel_mm', 'cost', 'other_attributes']
  if (!known.some((name) => names.includes(name))) return undefined
  const set: Record<string, unknown> = { ...current }
  if (names.includes('other_attributes')) {
    for (const name of Object.keys(set)) if (![...known, 'parcel', 'cost_minor'].includes(name)) delete set[name]
    Object.assign(set, readJsonCell(cells.other_attributes ?? ''))
  }
  for (const name of texts) if (names.includes(name)) set[name] = cells[name] || undefined
  if (names.includes('colors')) set.colors = cells.colors ? splitLines(cells.colors) : undefined
  if (names.includes('weight_grams')) set.weight_grams = cells.weight_grams ? Number(cells.weight_grams) : undefined
  if (names.includes('cost')) set.cost_minor = cells.cost ? readAmount('cost', cells, currency) : undefined
  if (names.includes('parcel_mm')) set.parcel = cells.parcel_mm ? readParcel(cells.parcel_mm) : undefined
  return defined(set) ?? {}
}

function readJsonCell(cell: string): object {
  if (cell === '') return {}
  try {
    const value: unknown = JSON.parse(cell)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Answered below.
  }
  throw invalidField('other_attributes', 'invalid_value', 'must be a JSON object')
}

function readParcel(cell: string): object {
  const sides = /^(\d+) ?[x×*] ?(\d+) ?[x×*] ?(\d+)$/.exec(cell.trim())
  if (!sides) throw invalidField('parcel_mm', 'invalid_value', 'must be three lengths such as 300 x 200 x 100')
  const [, length_mm, width_mm, height_mm] = sides.map(Number)
  return { length_mm, width_mm, height_mm }
}

/** Returns the members that are not undefined; undefined if there are none. */
function defined(members: Record<string, unknown>): Record<string, unknown> | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** Writes a list one entry a line, or as JSON where that could not be read back. */
function joinLines(entries: readonly string[]): string {
  const isPlain = entries.every((entry) => entry !== '' && entry === entry.trim() && !/[\r\n]/.test(entry))
  if (isPlain && !entries[0]?.startsWith('[')) return entries.join('\n')
  return JSON.stringify(entries)
}

function splitLines(cell: string): string[] {
  if (cell.startsWith('[')) {
    try {
      const value: unknown = JSON.parse(cell)
      if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value
    } catch {
      // Not a list of ours.
    }
  }
  return cell
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Splits a cell into links. Other programs separate them by blanks, commas, semicolons or bars. */
export const splitUrls = (cell: string) =>
  splitLines(cell).flatMap((line) => line.split(/[\s|,;](?=https?:\/\/)/).map(trimSeparators))

/** Removes separators at the end. A regular expression would take quadratic time on many of them. */
function trimSeparators(url: string): string {
  let end = url.length
  while (end > 0 && ' \t|,;'.includes(url[end - 1]!)) end--
  return url.slice(0, end).trim()
}
