/** Conditions of new items and of those like new. eBay drops the notes about them. */
const withoutNotes = [1000, 1500, 1750, 2750]

/** Whether a condition takes no description. */
export const sellsWithoutNotes = (conditionId: number): boolean => withoutNotes.includes(conditionId)
