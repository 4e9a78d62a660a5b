import type { FieldError } from '#shared/contract/declaring/errors.ts'
import { isNo } from '../for-sale.ts'
import { foldedNames, foldHeading, withoutCurrency } from '../headings.ts'
import { refuseFile } from '../refuse-file.ts'
import { readDates } from './dates.ts'
import { type PriceRole, priceNames } from './price-names.ts'

const roleNames = new Map(
  Object.values(priceNames).flatMap((table) =>
    Object.entries(table).flatMap(([role, names]) =>
      foldedNames(names).map((name) => [name, role as PriceRole] as const),
    ),
  ),
)

/** The price columns of a file. */
export interface PriceColumns {
  /** The part of each column; null for one that says nothing of the asking price. */
  roles: readonly (PriceRole | null)[]
  /** The columns that may hold the price, first the one that counts first. */
  asking: readonly PriceRole[]
}

/**
 * Finds the columns that say the asking price. Retail, unit and start prices, costs, bids and sums of sales are none.
 * Throws 400 `two_prices` for two columns that could be the price, unless one of them is a listing or asking price.
 * `own`: names that mean something else in this program's files.
 */
export function findPriceColumns(headings: readonly string[], own: ReadonlyMap<string, PriceRole>): PriceColumns {
  const roles = headings.map((heading) => {
    const name = foldHeading(heading)
    return own.get(name) ?? roleNames.get(name) ?? roleNames.get(foldHeading(withoutCurrency(heading) ?? '')) ?? null
  })
  const has = (...among: PriceRole[]) => roles.some((role) => role !== null && among.includes(role))
  const hasReduced = has('sale') && (has('regular') || (has('price') && has('saleStart', 'saleEnd')))
  const isAuctionFile = has('method', 'isAuction', 'start', 'bids')
  const usual: PriceRole[] = has('listing')
    ? ['listing']
    : [
        ...(hasReduced
          ? (['price', 'regular', 'current'] as const)
          : (['price', 'current', 'regular', 'sale'] as const)),
        ...(isAuctionFile ? [] : (['buyNow'] as const)),
      ]
  const could = roles.flatMap((role, index) => (role !== null && usual.includes(role) ? [index] : []))
  if (could.length > 1) {
    const [first, second] = could.map((index) => `"${headings[index]!.trim().slice(0, 50)}"`)
    const message = `Two columns of this file could be the price: ${first} and ${second}. Name the one with the asking price "Listing price", then send the file again.`
    throw refuseFile('two_prices', message)
  }
  // Nobody knows whether a sale price alone is asked, or was paid.
  const asking = usual.filter((role) => has(role) && (role !== 'sale' || hasReduced))
  return { roles, asking: hasReduced && !has('listing') ? ['sale', ...asking] : asking }
}

/** Returns whether a column may hold the price. */
export const holdsPrice = ({ asking }: PriceColumns, role: PriceRole | null, isStartFixed: boolean): boolean =>
  role !== null && (asking.includes(role) || role === 'buyNow' || (role === 'start' && isStartFixed))

/** The asking price of a row, why the row is left out, or why its price is not clear. */
interface AskingPrice {
  price?: string
  left?: string
  error?: FieldError
}

const words = (text: string) => new Set(foldedNames(text))
const fixed =
  words(`fixed price,fixed,stores fixed,stores fixed price,buy it now,buy now,BIN,classified ad,Festpreis,Sofort-Kaufen,
  Sofortkauf,Prix fixe,Achat immédiat,Prezzo fisso,Compralo Subito,Precio fijo,¡Cómpralo ya!,Vaste prijs,Nu kopen`)
/** "Chinese" is eBay's old name of an auction. */
const auction =
  /^(?:chinese|asta|veiling|timed|private|live)|auction|auktion|versteiger|encher|subasta|bidding|live ?(?:stream|sale|show)/
const giveaway = /give ?away|raffle|verlos|verschenk|sorteo|^gratis$|^free$/
const unready = /^(?:draft|scheduled|entwurf|geplant|brouillon|programme|bozza|programmat[ao]|borrador|programad[ao])$/

/**
 * Returns the asking price of a row. An auction has none but its Buy It Now price, and a sale price counts between its
 * dates. `isStartFixed`: the start price of a row with a fixed price is the price, as in eBay's templates.
 */
export function askingPriceOf(
  { roles, asking }: PriceColumns,
  values: readonly string[],
  { isStartFixed, now }: { isStartFixed: boolean; now: number },
): AskingPrice {
  const cells = roles.flatMap((role, index) => {
    const text = values[index]?.trim() ?? ''
    return role === null || text === '' ? [] : [{ role, text }]
  })
  const cellsOf = (role: PriceRole) => cells.filter((cell) => cell.role === role).map(({ text }) => text)
  const cell = (role: PriceRole) => cellsOf(role)[0]
  const types = cellsOf('type').filter((text) => !/^chinese/i.test(text))
  const methods = [...cellsOf('method'), ...types].map(foldHeading)
  const isTrue = (role: PriceRole) => cellsOf(role).some((text) => !isNo(text))
  if (methods.some((method) => giveaway.test(method)) || isTrue('isGiveaway')) return { left: 'is given away there' }
  if (methods.includes(foldHeading('Not for sale'))) return { left: 'is not for sale there' }
  const unreadyMethod = methods.find((method) => unready.test(method))
  if (unreadyMethod !== undefined) return { left: `has the status "${unreadyMethod}" there` }
  const buyNow = cellsOf('buyNow').find((text) => /[1-9]/.test(text))
  const isFixed = methods.some((method) => fixed.has(method))
  const hasBids = cellsOf('bids').some((text) => /[1-9]/.test(text))
  if (methods.some((method) => auction.test(method)) || isTrue('isAuction') || (hasBids && !isFixed)) {
    return buyNow === undefined ? { left: 'is an auction there, without a price to buy it now' } : { price: buyNow }
  }
  const isSure = isFixed || !roles.some((role) => role === 'start' || role === 'bids')
  const reduced = asking[0] === 'sale' ? cell('sale') : undefined
  if (reduced !== undefined) {
    const isOn = isBetween(cell('saleStart'), cell('saleEnd'), now)
    if (isOn === null) return { error: unclearSale }
    if (isOn) return { price: reduced }
  }
  const role = asking.find((one) => one !== 'sale' && cell(one) !== undefined && (one !== 'current' || isSure))
  // Only an auction has both prices. eBay's shortest templates name no format.
  const isStart = isFixed || (buyNow === undefined && !roles.includes('method'))
  const price = (role && cell(role)) ?? (isStartFixed && isStart ? cell('start') : undefined) ?? buyNow
  if (price !== undefined) return { price }
  const isUnsure = cell('current') !== undefined || (isStartFixed && cell('start') !== undefined)
  return isUnsure ? { left: 'does not say whether its price is fixed, or that of an auction' } : {}
}

const unclearSale: FieldError = {
  field: 'price',
  code: 'unclear_price',
  message: 'has a sale price whose dates can be read in two ways. Write them as 2026-12-31',
}

/** Returns whether a time is between two dates, both included; null if that is not sure. */
function isBetween(start: string | undefined, end: string | undefined, now: number): boolean | null {
  const starts = start === undefined ? [{ from: -Infinity }] : readDates(start)
  const ends = end === undefined ? [{ until: Infinity }] : readDates(end)
  const answers = new Set(starts.flatMap(({ from }) => ends.map(({ until }) => from <= now && now < until)))
  return answers.size === 1 ? [...answers][0]! : null
}
