import { createHash } from 'node:crypto'
import type { ItemRow } from '#server/catalog/inventory/content.ts'
import type { ChangedItem } from '#server/catalog/inventory/update-item.ts'
import { invalidField } from '#server/infra/errors.ts'
import type { ListingEffect } from '#server/selling/listings/operations/queue-listing-update.ts'
import type { FieldError } from '#shared/contract/declaring/errors.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { platformOf } from '#shared/platforms.ts'

/** The seller's answers to the questions of a preview. */
export interface Answers {
  /** Digests of what the preview showed, one for each batch; null without answers. */
  preview: string | null
  /** Live listings get their new prices. */
  hasPrices: boolean
  isConfirmed: (row: number) => boolean
  isSame: (row: number) => boolean
  isNew: (row: number) => boolean
}

const digestLength = 6

/** Reads the answers of a request. Throws 400 for answers without the preview that they are about. */
export function readAnswers(query: {
  preview?: string | undefined
  confirm_prices?: 'true' | 'false' | undefined
  confirm?: string | undefined
  same?: string | undefined
  new?: string | undefined
}): Answers {
  const { preview, confirm_prices, confirm, same } = query
  const hasPrices = confirm_prices === 'true'
  if (preview === undefined && (hasPrices || confirm || same || query.new)) {
    throw invalidField('preview', 'required', 'is needed: the `preview` of the dry run that is answered')
  }
  return {
    ...{ preview: preview ?? null, hasPrices },
    ...{ isConfirmed: readRows(confirm), isSame: readRows(same), isNew: readRows(query.new) },
  }
}

/** Reads numbers of rows such as `3,7-9`. */
function readRows(text = ''): (row: number) => boolean {
  const ranges = text.split(',').map((range) => range.split('-').map(Number))
  return (row) => ranges.some(([first = 0, last = first]) => first <= row && row <= last)
}

/** Returns a digest of what a preview shows of a batch of rows, by which an import knows that nothing else would happen. */
export const digestOf = (shown: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, digestLength)

/** Returns whether a preview showed a batch like this. `batch`: its place in the file, from 0. */
export const hasShown = ({ preview }: Answers, batch: number, digest: string) =>
  preview?.slice(batch * digestLength, (batch + 1) * digestLength) === digest

/**
 * Returns the questions about a row that would change an item. `like`: the item that it may be about. `isSoldThere`: the file
 * says that it is sold. Pure.
 */
export function questionsOf(
  change: ChangedItem | null,
  listings: readonly ListingEffect[],
  like: ItemRow | null,
  isSoldThere: boolean,
): FieldError[] {
  const questions: FieldError[] = []
  const ask = (field: string, code: string, message: string) => questions.push({ field, code, message })
  if (like) ask('', 'confirm_same_item', `This may be your item "${like.title}". Say whether it is.`)
  if (!change) return questions
  const { before, after } = change
  const names = (effects: readonly ListingEffect[]) =>
    [...new Set(effects.map(({ platform }) => platformOf(platform).name))].join(', ')
  const priced = listings.filter(({ next_minor, price_minor }) => next_minor !== null && next_minor !== price_minor)
  const onSale = priced.filter(({ ends_sale }) => ends_sale)
  const staying = listings.filter(({ next_minor, price_minor }) => next_minor === price_minor)
  const ended = listings.filter(({ next_minor }) => next_minor === null)
  if (priced.length + staying.length > 0) {
    const effects = [
      ...(priced.length > 0 ? [`changes live listings on ${names(priced)}`] : []),
      ...(onSale.length > 0 ? [`ends the sale on ${names(onSale)}`] : []),
      ...(staying.length > 0 ? [`stays as it is on ${names(staying)}`] : []),
    ]
    ask('price', 'confirm_live_price', `${effects.join(' and ')}. Confirm it`)
  }
  if (isLarge(before.price_minor, after.price_minor)) {
    const textOf = (minor: number) => `${decimalFromMinor(minor, after.currency)} ${after.currency}`
    const message = `is ${textOf(after.price_minor)} in the file and ${textOf(before.price_minor)} in Hapax. Confirm it`
    ask('price', 'confirm_large_price_change', message)
  }
  const ends = ended.length > 0 ? `ends live listings on ${names(ended)}` : 'ends no listing'
  if (isSoldThere)
    ask('state', 'confirm_end_listing', `is sold in the file and for sale in Hapax. Withdrawing it ${ends}. Confirm it`)
  else if (ended.length > 0) ask('state', 'confirm_end_listing', `${ends}. Confirm it`)
  return questions
}

/** Returns whether a price more than doubles or falls below half. */
const isLarge = (before: number, after: number) => before > 0 && (after > 2 * before || 2 * after < before)

/** Returns whether the seller has answered all questions about changing an item, but which item it is. */
export function isAnswered(
  questions: readonly FieldError[],
  { hasPrices, isConfirmed }: Answers,
  row: number,
): boolean {
  if (isConfirmed(row)) return true
  return questions.every(({ code }) => code === 'confirm_same_item' || (code === 'confirm_live_price' && hasPrices))
}
