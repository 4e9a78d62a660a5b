import { fold, type InventoryRow } from '#extension/storage/inventory-cache/row.ts'

/** Returns the address that the label of an item holds. A phone's own camera opens it, too. */
export const itemAddress = (server: string, uid: string): string => `${server}/app/#item/${uid}`

/** Returns the address that the label of a place holds. It opens the screen that moves items there. */
export const placeAddress = (server: string, place: string): string =>
  `${server}/app/#scan/${encodeURIComponent(place)}`

/** The meaning of a scanned code: a place, or the items that have it. */
export type Scan = { place: string; items?: undefined } | { place?: undefined; items: InventoryRow[] }

/**
 * Reads a code: a label of ours of any server address, since addresses change, else the SKU of an item, else its ISBN, UPC
 * or EAN. Of several items with a product code, those that are not sold yet come alone.
 */
export function readScan(code: string, rows: readonly InventoryRow[]): Scan {
  const [, kind, value = ''] = /\/app\/#(item|scan)\/([^/]+)/.exec(code) ?? []
  if (kind === 'scan') return { place: scanPart(value) }
  if (kind === 'item') return { items: rows.filter(({ uid }) => uid === value) }
  const sku = fold(code.trim())
  const bySku = rows.filter((row) => row.sku !== null && fold(row.sku.trim()) === sku)
  if (bySku.length > 0 || sku === '') return { items: bySku }
  const gtin = gtinOf(code)
  const found = gtin === null ? [] : rows.filter(({ words }) => hasCode(words, gtin))
  const unsold = found.filter(({ state }) => state !== 'sold')
  return { items: unsold.length > 0 ? unsold : found }
}

function hasCode(words: string, gtin: string): boolean {
  // Every form of a code has these digits, so most items need no look at each word.
  return words.includes(gtin.slice(5, 12)) && words.split(' ').some((word) => gtinOf(word) === gtin)
}

/** Returns where a scan leads: to its place, its item, or the screen that says what it found. */
export function scanHash({ place, items }: Scan, code: string): string {
  if (place !== undefined) return `scan/${encodeURIComponent(place)}`
  const [item, another] = items
  return item && !another ? `item/${item.uid}` : `scan//${encodeURIComponent(code)}`
}

/** Returns a place or a code from its part of an address. */
export function scanPart(part: string): string {
  try {
    return decodeURIComponent(part).trim().slice(0, mostOfPart)
  } catch {
    return part.slice(0, mostOfPart)
  }
}

/** Most characters of a storage location, and of a code. */
const mostOfPart = 200

/** The field of an item's form that a product code belongs in, or null for any other text. */
export function productField(code: string): 'isbn' | 'upc' | 'ean' | null {
  const gtin = gtinOf(code)
  if (gtin === null) return null
  if (/^97[89]/.test(gtin)) return 'isbn'
  return gtin.startsWith('0') ? 'upc' : 'ean'
}

/** Returns a product code as 13 digits, so that a UPC equals its EAN, and an old ISBN its new one. Null for a wrong one. */
export function gtinOf(code: string): string | null {
  const digits = code.replace(/[\s-]/g, '').toUpperCase()
  if (/^\d{9}[\dX]$/.test(digits)) {
    const sum = [...digits].reduce((all, digit, at) => all + (digit === 'X' ? 10 : Number(digit)) * (10 - at), 0)
    const start = `978${digits.slice(0, 9)}`
    return sum % 11 === 0 ? start + checkDigit(start) : null
  }
  if (!/^(\d{8}|\d{12}|\d{13})$/.test(digits)) return null
  const gtin = digits.padStart(13, '0')
  return gtin.endsWith(checkDigit(gtin.slice(0, 12))) ? gtin : null
}

function checkDigit(twelve: string): string {
  const sum = [...twelve].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return String((10 - (sum % 10)) % 10)
}
