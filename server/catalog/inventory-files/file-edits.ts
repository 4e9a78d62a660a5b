import { isDeepStrictEqual } from 'node:util'
import type { ItemContent } from '#server/catalog/inventory/content.ts'
import { readItems } from '#server/catalog/inventory/read-items.ts'
import { type ChangedItem, writeChanges } from '#server/catalog/inventory/update-item.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import * as sql from './deciding/queries.ts'

/** Values by column, with those of attributes as `attributes.brand`; null where an item has none. */
type Values = Readonly<Record<string, unknown>>

/** Prices and withdrawals are changes of their own. */
const members = [
  ...(['sku', 'product_id', 'title', 'description', 'images', 'condition_label', 'condition_notes'] as const),
  ...(['inspected_at', 'evidence_urls', 'shipping_policy_url', 'returns_policy_url'] as const),
]

const valuesOf = (content: ItemContent): Values => ({
  ...Object.fromEntries(members.map((name) => [name, content[name]])),
  ...Object.fromEntries(Object.entries(content.attributes).map(([name, value]) => [`attributes.${name}`, value])),
})

/** Returns the values that a file changes of an item, as a step that can be undone keeps them; null without one. */
export function editOf({ before, after }: ChangedItem): { before: Values; after: { edited: Values } } | null {
  const [old, next] = [valuesOf(before), valuesOf(after)]
  const names = Object.keys({ ...old, ...next }).filter(
    (name) => !isDeepStrictEqual(old[name] ?? null, next[name] ?? null),
  )
  const only = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  return names.length > 0 ? { before: only(old), after: { edited: only(next) } } : null
}

/**
 * Gives items the values that they had before a file, in the caller's transaction, and returns the items. An item stays as it
 * is where it is gone, one of the values is another by now, or another item has its former SKU.
 */
export async function restoreFileEdits(
  tx: Transaction,
  publicUrl: string,
  given: { user_id: number; steps: readonly { item_uid: string | null; before: object; after: object }[] },
): Promise<string[]> {
  const { user_id, steps } = given
  const uids = steps.flatMap(({ item_uid }) => item_uid ?? [])
  await tx.any(sql.lockItems({ user_id, uids }))
  const items = await readItems(tx, publicUrl, { user_id, uids })
  const skus = steps.flatMap(({ before }) => (before as { sku?: string }).sku ?? [])
  const owners = new Map(
    (await tx.any(sql.findKnown({ user_id, uids: [], skus, file_rows: [] }))).map(({ sku, uid }) => [sku, uid]),
  )
  const restored = steps.flatMap(({ item_uid, before: old, after }): ChangedItem[] => {
    const before = items.get(item_uid ?? '')?.row
    const { edited } = after as { edited: Values }
    if (!before || before.redirect_uid !== null) return []
    const values = valuesOf(before)
    const isAsLeft = Object.entries(edited).every(([name, value]) => isDeepStrictEqual(values[name] ?? null, value))
    const { sku = null } = old as { sku?: string | null }
    return isAsLeft && (sku === null || !owners.has(sku)) ? [{ before, after: withValues(before, old as Values) }] : []
  })
  await writeChanges(tx, user_id, restored)
  return restored.map(({ before: { uid } }) => uid)
}

function withValues<Content extends ItemContent>(content: Content, values: Values): Content {
  const split = (isAttribute: boolean) =>
    Object.entries(values).filter(([name]) => name.startsWith('attributes.') === isAttribute)
  const attributes = split(true).map(([name, value]) => [name.slice('attributes.'.length), value ?? undefined])
  const changed = { ...content.attributes, ...Object.fromEntries(attributes) }
  return {
    ...content,
    ...Object.fromEntries(split(false)),
    attributes: Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)),
  }
}
