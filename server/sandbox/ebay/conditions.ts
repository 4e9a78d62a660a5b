/** Condition ids by the values of ConditionEnum, from eBay's documentation of the Inventory API. */
const conditionIds = new Map([
  ['NEW', 1000],
  ['NEW_OTHER', 1500],
  ['NEW_WITH_DEFECTS', 1750],
  ['CERTIFIED_REFURBISHED', 2000],
  ['EXCELLENT_REFURBISHED', 2010],
  ['VERY_GOOD_REFURBISHED', 2020],
  ['GOOD_REFURBISHED', 2030],
  ['SELLER_REFURBISHED', 2500],
  ['LIKE_NEW', 2750],
  ['PRE_OWNED_EXCELLENT', 2990],
  ['USED_EXCELLENT', 3000],
  ['PRE_OWNED_FAIR', 3010],
  ['USED_VERY_GOOD', 4000],
  ['USED_GOOD', 5000],
  ['USED_ACCEPTABLE', 6000],
  ['FOR_PARTS_OR_NOT_WORKING', 7000],
])

const withoutNotes = new Set(['NEW', 'LIKE_NEW', 'NEW_OTHER', 'NEW_WITH_DEFECTS'])

/** Returns the id of a condition; undefined for a value that is not in ConditionEnum. */
export const conditionIdOf = (condition: string): number | undefined => conditionIds.get(condition)

/** Whether the condition takes no conditionDescription: eBay drops one with a warning. */
export const takesNoNotes = (condition: string): boolean => withoutNotes.has(condition)
