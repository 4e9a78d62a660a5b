import { Dexie } from 'dexie'
import { Stock } from './stock.ts'

/** Opens the stock. One that cannot be opened, for whatever reason, is deleted and read anew (F36). */
export async function openStock(name?: string): Promise<Stock> {
  const stock = new Stock(name)
  try {
    await stock.open()
    return stock
  } catch (error) {
    if (!(error instanceof Dexie.DexieError)) throw error
    await Dexie.delete(stock.name)
    const remade = new Stock(name)
    await remade.open()
    return remade
  }
}
