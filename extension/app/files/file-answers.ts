import type { ImportedFile, ImportedRow, importInventory } from '#shared/contract/catalog/inventory-files.ts'
import type { Input } from '#shared/contract/declaring/route.ts'

/** The seller's answer to the questions of a row. */
export interface Answer {
  /** Which item the row is about. */
  item?: 'same' | 'new' | 'skip'
  /** Its large price change, or the end of its listings, is confirmed. */
  isConfirmed?: boolean
}

/** Answers by the numbers of rows. */
export type Answers = ReadonlyMap<number, Answer>

interface ImportPlan {
  items: number
  /** Live listings that get another price. */
  prices: number
  /** Live listings that end. */
  ends: number
  /** The answers as the server takes them. */
  query: Omit<Input<typeof importInventory>['query'], 'dry_run' | 'currency'>
}

export const asks = (row: ImportedRow, code: string) =>
  row.action === 'ask' && row.errors.some((error) => error.code === code)

/** Returns whether a row asks only whether live listings get its price, which one press answers for all such rows. */
export const asksPriceAlone = (row: ImportedRow) =>
  row.action === 'ask' && row.errors.every(({ code }) => code === 'confirm_live_price')

/** Returns whether a row asks for a confirmation of its own. */
export const asksConfirmation = (row: ImportedRow) =>
  asks(row, 'confirm_large_price_change') || asks(row, 'confirm_end_listing')

/** Plans the import of a previewed file. `withPrices`: live listings get the new prices. */
export function planImport(file: ImportedFile, answers: Answers, withPrices: boolean): ImportPlan {
  const confirmed: number[] = []
  const same: number[] = []
  const added: number[] = []
  const plan = { items: file.created + file.updated, prices: 0, ends: 0 }
  for (const row of file.results) {
    if (row.action !== 'ask') continue
    const { item, isConfirmed = false } = answers.get(row.row) ?? {}
    if (asks(row, 'confirm_same_item')) {
      if (item === 'new') {
        added.push(row.row)
        plan.items++
      }
      if (item !== 'same') continue
      same.push(row.row)
    }
    if (isConfirmed) confirmed.push(row.row)
    const isLive = asks(row, 'confirm_live_price')
    if (asksConfirmation(row) ? !isConfirmed : isLive && !withPrices) continue
    plan.items++
    for (const { from, to } of row.listings ?? []) if (from !== to) plan[to === null ? 'ends' : 'prices']++
  }
  const rows = { confirm: rowRanges(confirmed), same: rowRanges(same), new: rowRanges(added) }
  const given = Object.fromEntries(Object.entries(rows).filter(([, numbers]) => numbers !== ''))
  const confirm_prices = withPrices ? ('true' as const) : ('false' as const)
  return { ...plan, query: { ...given, ...(file.preview ? { preview: file.preview, confirm_prices } : {}) } }
}

/** Writes ascending numbers of rows as the server reads them, such as `3,7-9`. */
function rowRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last?.[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',')
}
