import { contradict } from '#server/catalog/imports/matching/compare.ts'
import { featuresOf } from '#server/catalog/imports/matching/features.ts'
import { createMatcher } from '#server/catalog/imports/matching/matcher.ts'
import { weightOf, wordsOf } from '#server/catalog/imports/matching/words.ts'
import type { ItemRow } from '#server/catalog/inventory/content.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { marksOf } from '#server/selling/sales/identify-item.ts'
import type { Services } from '#server/services.ts'
import { sizesDiffer } from '#shared/item/size-parts.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { type Cells, splitUrls } from '../columns.ts'
import type { Row } from '../read-file.ts'
import { tellsSale } from '../reading/past-sale.ts'
import * as sql from './queries.ts'

export interface NumberedRow extends Row {
  /** Its place in the file, from 1. */
  number: number
  /** Names the row at a repeated import, where no uid or SKU does. */
  name: string
}

/** Rows that are compared with the inventory at once. */
const rowsAtOnce = 200

/** Finds the items of rows: by uid, else the item that the row made before, else by SKU. */
export async function findItems(queries: Queries, user_id: number, rows: readonly NumberedRow[]) {
  const values = (name: string) => rows.map(({ cells }) => cells[name] ?? '').filter(Boolean)
  const known = await queries.any(
    sql.findKnown({ user_id, uids: values('uid'), skus: values('sku'), file_rows: rows.map(({ name }) => name) }),
  )
  const own = known.filter(({ redirect_uid }) => redirect_uid === null)
  const byUid = new Set(own.map(({ uid }) => uid))
  const bySku = new Map(own.map(({ uid, sku }) => [sku, uid]))
  const byRow = new Map(known.map(({ uid, file_row, redirect_uid }) => [file_row, redirect_uid ?? uid]))
  return {
    find: ({ cells: { uid = '', sku = '' }, name }: NumberedRow): { uid: string | null; isRepeated: boolean } => {
      if (byUid.has(uid)) return { uid, isRepeated: false }
      const made = byRow.get(name)
      // An item that the row made and that has its SKU is known by that.
      if (made !== undefined && (sku === '' || bySku.get(sku) !== made)) return { uid: made, isRepeated: true }
      return { uid: (sku && bySku.get(sku)) || null, isRepeated: false }
    },
    ownerOf: (sku: string | undefined) => (sku ? bySku.get(sku) : undefined),
    all: new Set([...byUid, ...byRow.values()]),
  }
}

/**
 * Returns the item that each row of a file looks like, for rows that name none. An item that another row of the file is
 * about is no candidate. Call before anything of the file is written: items that it adds are none either.
 */
export async function findLookAlikes(
  services: Services,
  user_id: number,
  rows: readonly NumberedRow[],
  currency: string | null,
): Promise<Map<number, string>> {
  const { db } = services
  const known = await findItems(db, user_id, rows)
  const isRead = ({ left, errors, cells }: NumberedRow) => (!left || (left.isSold && tellsSale(cells))) && !errors
  const unknown = rows.filter((row) => isRead(row) && known.find(row).uid === null)
  if (unknown.length === 0) return new Map()
  const pictures = ownPictures(rows)
  const skus = unknown.flatMap(({ cells }) => cells.sku || [])
  const titles = ownTitles(rows)
  const twins = await db.any(
    sql.findTwins({ user_id, skus, pictures: [...pictures.keys()], titles: [...titles.keys()] }),
  )
  const found = new Map<number, string>()
  const matcher = createMatcher({ user_id, platform: null })
  await matcher.prepare(services)
  const free = twins.filter(({ uid }) => !known.all.has(uid))
  const bySku = new Map(free.map(({ given, uid }) => [given, uid]))
  const byPicture = new Map(free.flatMap((item) => (item.picture === null ? [] : [[pictures.get(item.picture), item]])))
  const byTitle = new Map(
    free.flatMap((item) =>
      item.given === null && item.picture === null ? [[titles.get(foldTitle(item.title)), item]] : [],
    ),
  )
  for (let at = 0; at < unknown.length; at += rowsAtOnce) {
    const part = unknown.slice(at, at + rowsAtOnce)
    const alikes = await matcher.find(db, part.map(comparedWith(currency)))
    for (const { number, cells } of part) {
      const alike = alikes.get(String(number))?.find(({ item }) => !known.all.has(item.uid))?.item.uid
      const pictured = byPicture.get(number)
      // Two product codes are two things, whatever they show.
      const isSame = pictured && !isOtherCode(cells, pictured.attributes ?? {})
      const titled = byTitle.get(number)
      const isTitled = titled && !isOtherCode(cells, titled.attributes ?? {}) && !isOtherSize(cells, titled.attributes)
      const uid =
        (cells.sku && bySku.get(cells.sku)) || (isSame ? pictured.uid : (alike ?? (isTitled ? titled.uid : undefined)))
      if (uid !== undefined) found.set(number, uid)
    }
  }
  return found
}

const foldTitle = (title: string) => title.trim().toLowerCase()

/** Returns the titles that one row alone has, in lower case, with its number. */
function ownTitles(rows: readonly NumberedRow[]): Map<string, number> {
  const numbers = new Map<string, number[]>()
  for (const { number, cells } of rows) {
    const title = foldTitle(cells.title ?? '')
    if (title !== '') numbers.set(title, [...(numbers.get(title) ?? []), number])
  }
  return new Map([...numbers].flatMap(([title, [number, ...more]]) => (more.length === 0 ? [[title, number!]] : [])))
}

/** Returns whether both have sizes, and different ones of one country. */
const isOtherSize = (cells: Cells, attributes: ItemRow['attributes'] | null): boolean => {
  const [one, other] = [cells.size ?? '', attributes?.size ?? '']
  return !/\b(?:eu|uk|us|it|fr|jp)\b/i.test(`${one} ${other}`) && sizesDiffer(one, other)
}

/** Returns the pictures that one row alone has, with its number. A picture in several rows tells no item from another. */
function ownPictures(rows: readonly NumberedRow[]): Map<string, number> {
  const numbers = new Map<string, number>()
  const shared = new Set<string>()
  for (const { number, cells } of rows) {
    for (const url of new Set(splitUrls(cells.images ?? ''))) {
      if (numbers.has(url)) shared.add(url)
      numbers.set(url, number)
    }
  }
  for (const url of shared) numbers.delete(url)
  return numbers
}

const comparedWith =
  (usual: string | null) =>
  ({ number, cells }: NumberedRow) => {
    const currency = cells.currency || usual || 'USD'
    const { title = '', price = '', brand, size, colors, images = '' } = cells
    return {
      ...{ listing_id: String(number), title, currency, images: splitUrls(images) },
      price_minor: minorFromDecimal(price, currency) ?? 0,
      ...(brand ? { brand } : {}),
      ...(size ? { size } : {}),
      ...(colors ? { colors: [colors] } : {}),
    }
  }

/**
 * Returns whether a row that names an item tells of another one: no picture is one of the item's, and each of the two titles
 * has a word that counts, or a number, that the other lacks. With other pictures, another brand, size or product code tells it,
 * too, and a title that says more than twice as much. Without a title other pictures alone tell it, unless the row has the
 * item's uid. With the uid a title needs pictures.
 */
export function isOtherItem(cells: Cells, item: ItemRow): boolean {
  const pictures = splitUrls(cells.images ?? '')
  if (pictures.some((url) => item.images.includes(url))) return false
  const isByUid = cells.uid === item.uid
  const isOtherPicture = pictures.length > 0 && item.images.length > 0
  const ofFile = featuresOf({ title: '', brand: cells.brand ?? '', size: cells.size ?? '', ...noPrice })
  const own = featuresOf({ ...item.attributes, title: item.title, ...noPrice })
  const isContradicted = contradict(ofFile, own) || isOtherCode(cells, item.attributes)
  if (!cells.title) return !isByUid && (isOtherPicture || isContradicted)
  if (isByUid) return pictures.length > 0 && isOtherTitle(cells.title, item.title)
  const isAnother =
    isOtherPicture && (isContradicted || isOtherSize(cells, item.attributes) || saysMore(cells.title, item.title))
  return isAnother || isOtherTitle(cells.title, item.title) || haveOtherNumbers(cells.title, item.title)
}

/** Returns whether each of two titles has a number that the other lacks: "PSA 9", "PSA 8". */
function haveOtherNumbers(one: string, other: string): boolean {
  const [left, right] = [marksOf(one), marksOf(other)]
  return left.some((mark) => !right.includes(mark)) && right.some((mark) => !left.includes(mark))
}

/** Returns whether one of two titles says more than twice as much as the other. */
function saysMore(one: string, other: string): boolean {
  const [less, more] = [one, other]
    .map((title) => wordsOf(title).reduce((sum, word) => sum + weightOf(word), 0))
    .sort((a, b) => a - b)
  return more! > 2 * less!
}

const noPrice = { price_minor: 0, currency: '' }

function isOtherTitle(one: string, other: string): boolean {
  const [left, right] = [wordsOf(one), wordsOf(other)]
  const lacks = (words: readonly string[], others: readonly string[]) =>
    words.some((word) => weightOf(word) === 1 && !others.includes(word))
  return lacks(left, right) && lacks(right, left)
}

/** Returns whether both have product codes, and no common one. */
function isOtherCode(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const [left, right] = [codesOf(one), codesOf(other)]
  return left.length > 0 && right.length > 0 && !left.some((code) => right.includes(code))
}

/** Returns product codes as the 13 digits of an EAN without the last, which is a check digit. */
const codesOf = (from: Readonly<Record<string, unknown>>): string[] =>
  ['isbn', 'ean', 'upc'].flatMap((name) => {
    const code = String(from[name] ?? '').replace(/[^\dX]/gi, '')
    if (code === '') return []
    const isOldIsbn = name === 'isbn' && code.length === 10
    return (isOldIsbn ? `978${code}` : code.padStart(13, '0')).slice(0, -1)
  })
