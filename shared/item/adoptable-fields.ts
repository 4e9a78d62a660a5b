import type { DifferenceField } from '../contract/catalog/differences.ts'

/** Fields whose value an item can take. The others only tell what a platform made of a listing that was sent to it. */
export const adoptableFields: ReadonlySet<DifferenceField> = new Set(['title', 'description', 'price', 'photos'])
