/** A card as eBay's API or a row of its files describes it. */
export interface GradedItem {
  ConditionID?: string | undefined
  PrimaryCategory?: { CategoryID?: string | undefined } | undefined
  ConditionDescriptors: readonly { Name: string; Value: readonly string[]; AdditionalInfo?: string | undefined }[]
}

/** Trading cards are graded or ungraded by condition ids that mean something else in other categories. */
const cardCategories = new Set(['183050', '183454', '261328'])

const graders = [
  ...['PSA', 'BCCG', 'BVG', 'BGS', 'CSG', 'CGC', 'SGC', 'KSA', 'GMA', 'HGA', 'ISA', 'PCA', 'GSG', 'PGS', 'MNT', 'TAG'],
  ...['Rare Edition', 'RCG', 'PCG', 'Ace', 'CGA', 'TCG', 'ARK', 'Other'],
]
const grades = [
  ...['10', '9.5', '9', '8.5', '8', '7.5', '7', '6.5', '6', '5.5', '5', '4.5', '4', '3.5', '3', '2.5', '2', '1.5', '1'],
  ...['Authentic', 'Authentic altered', 'Authentic - trimmed', 'Authentic - colored'],
]

/** Numbers values as eBay does: the id of the descriptor, without its last digit's zero, and the place in the list. */
const numbered = (prefix: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name, place) => [`${prefix}${place}`, name]))

/** eBay's condition descriptors by id, each with its values by id. A descriptor without values is a text. */
const descriptors: Record<string, { name: string; values: Record<string, string> }> = {
  27501: { name: 'Professional grader', values: numbered('27501', graders) },
  27502: { name: 'Grade', values: numbered('27502', grades) },
  27503: { name: 'Certification number', values: {} },
  40001: {
    name: 'Card condition',
    values: {
      400010: 'Near mint or better',
      400011: 'Excellent',
      400012: 'Very good',
      400013: 'Poor',
      400015: 'Lightly played (Excellent)',
      400016: 'Moderately played (Very good)',
      400017: 'Heavily played (Poor)',
    },
  },
}

/** Returns the condition of a trading card or another graded item: "Graded" or "Ungraded"; undefined for other items. */
export function gradingOf(item: GradedItem): string | undefined {
  const id = item.ConditionID?.trim()
  const isGradable =
    cardCategories.has(item.PrimaryCategory?.CategoryID?.trim() ?? '') || item.ConditionDescriptors.length > 0
  if (!isGradable) return undefined
  return id === '2750' ? 'Graded' : id === '4000' ? 'Ungraded' : undefined
}

/**
 * Returns the descriptors in words: "Professional grader: PSA. Grade: 9." An unknown one keeps its number, so that
 * nothing is lost unseen.
 */
export function descriptorsText(item: GradedItem): string {
  return item.ConditionDescriptors.map(({ Name, Value, AdditionalInfo }) => {
    const known = descriptors[Name.trim()]
    const values = [...Value, ...(AdditionalInfo ? [AdditionalInfo] : [])].map((value) => value.trim()).filter(Boolean)
    const words = values.map((value) => known?.values[value] ?? value)
    return `${known?.name ?? `eBay condition descriptor ${Name.trim()}`}: ${words.join(', ')}.`
  }).join(' ')
}
