import type { Money } from '#shared/price-change.ts'

/** A platform's value of a field, as an item would take it. */
export type FieldValue = string | Money | string[]
