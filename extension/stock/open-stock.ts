import { openOrRemake } from '../cache/open-or-remake.ts'
import { Stock } from './stock.ts'

/** Opens the stock: its content can be read again from the server. */
export function openStock(name?: string): Promise<Stock> {
  return openOrRemake(() => new Stock(name))
}
