import { text } from '#extension/i18n/text.ts'
import { fold, type InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { searchRows } from '#extension/storage/inventory-cache/search-rows.ts'
import type { Place } from './place.ts'

/** Something that the palette leads to. `hash`: the place in the app. */
interface Command {
  id: string
  words: string
  kind: 'item' | 'page' | 'action'
  hash: string
  row?: InventoryRow
}

/** Most items that the palette shows. The table shows all. */
const mostItems = 8

const pages = [
  'home',
  'inventory',
  'scan',
  'shelf',
  'imports',
  'sales',
  'shops',
  'choices',
  'changes',
  'differences',
  'checks',
  'files',
] as const

/** Returns what a query finds: items by the search of the table, then actions and pages by their words. */
export function findCommands(rows: readonly InventoryRow[], place: Place, query: string): Command[] {
  const words = fold(query.trim()).split(/\s+/).filter(Boolean)
  const fits = (command: Command) => words.every((word) => fold(command.words).includes(word))
  const items = words.length === 0 ? [] : searchRows(rows, query, mostItems)
  return [
    ...items.map((row): Command => ({ id: row.uid, words: row.title, kind: 'item', hash: `item/${row.uid}`, row })),
    ...actionsAt(place).filter(fits),
    ...pages
      .map((page): Command => ({ id: page, words: text(`palette.${page}`), kind: 'page', hash: page }))
      .filter(fits),
  ]
}

/** Returns the actions at a place: those of the open item first. */
function actionsAt(place: Place): Command[] {
  const action = (name: 'edit' | 'list' | 'copy' | 'new', hash: string): Command => ({
    ...{ id: name, words: text(`palette.${name}`), kind: 'action', hash },
  })
  const { uid } = place.screen === 'item' ? place : { uid: null }
  return [
    ...(uid
      ? [action('edit', `item/${uid}/edit`), action('list', `item/${uid}/list`), action('copy', `new/${uid}`)]
      : []),
    action('new', 'new'),
  ]
}

/** Returns the items beside one in the order of the table, null past its ends and for an item that is not in it. */
export function besideOf(
  order: readonly string[],
  uid: string,
): { previous: string | null; next: string | null; at: number; total: number } {
  const index = order.indexOf(uid)
  const beside = (step: number) => (index < 0 ? null : (order[index + step] ?? null))
  return { previous: index > 0 ? beside(-1) : null, next: beside(1), at: index + 1, total: order.length }
}
