import { weighCategories } from '#shared/item/title-kind.ts'
import type { CategoryName, ListingChoice, PublishRequest } from './port.ts'

/**
 * Returns a platform's suggested categories as values of a choice, those first that fit the item's title best. The first
 * is suggested unless it contradicts the title, such as women's clothing for a men's coat, or the adapter is not sure of
 * it. Without a suggested one the seller chooses.
 */
export function offerCategories(
  { title, attributes }: Pick<PublishRequest, 'title' | 'attributes'>,
  suggestions: readonly (CategoryName & { isSure?: boolean })[],
): ListingChoice['values'] {
  const category = [attributes.department, attributes.category].filter((one) => typeof one === 'string').join(' > ')
  return weighCategories({ title, category }, suggestions).map(({ id, name, isSure = true, fits, isNamed }, index) => ({
    id,
    name,
    suggested: index === 0 && fits && (isSure || isNamed),
  }))
}
