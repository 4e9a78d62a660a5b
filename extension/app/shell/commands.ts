import { fold, type InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { searchRows } from '#extension/storage/inventory-cache/search-rows.ts'
import type { Place } from './place.ts'
import { screens } from './rooms.ts'
import { text } from './words.ts'

/** Something that the palette leads to. `hash`: the place in the app. */
interface Command {
  id: string
  words: string
  kind: 'item' | 'page' | 'action'
  hash: string
  row?: InventoryRow
  /** Other words that find it. */
  synonyms?: string | undefined
}

/** Most items that the palette shows. The table shows all. */
const mostItems = 8

/** Returns what a query finds: items by the search of the table, then actions and pages by their words. */
export function findCommands(rows: readonly InventoryRow[], place: Place, query: string): Command[] {
  const words = fold(query.trim()).split(/\s+/).filter(Boolean)
  const fits = (command: Command) =>
    words.every((word) => fold(`${command.words} ${command.synonyms ?? ''}`).includes(word))
  const items = words.length === 0 ? [] : searchRows(rows, query, mostItems)
  const actions = [
    ...(place.screen.actions?.(place.values) ?? []),
    { id: 'new', words: text('palette.new'), hash: 'new' },
  ]
  const pages = screens.flatMap(({ name, palette, synonyms }) =>
    palette ? { id: name, words: palette, hash: name, synonyms } : [],
  )
  return [
    ...items.map((row): Command => ({ id: row.uid, words: row.title, kind: 'item', hash: `item/${row.uid}`, row })),
    ...actions.map((action): Command => ({ ...action, kind: 'action' })).filter(fits),
    ...pages.map((page): Command => ({ ...page, kind: 'page' })).filter(fits),
  ]
}
