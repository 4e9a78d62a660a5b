import { openOrRemake } from '../open-or-remake.ts'
import { Stock } from './database.ts'

/** Opens the stock: its content can be read again from the server. */
export function openStock(name?: string): Promise<Stock> {
  return openOrRemake(() => new Stock(name))
}
