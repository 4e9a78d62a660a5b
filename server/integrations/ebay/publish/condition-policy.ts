import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ListingChoice, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import type { Fields } from '../client.ts'
import { type AllowedCondition, conditionAmong, conditionOfId, conditions, type EbayCondition } from '../condition.ts'
import type { Rest } from '../rest.ts'
import { ConditionPolicies } from './shop-wire.ts'

/** Cache time of a category's conditions, which change a few times a year. */
const maxAgeMs = 86_400_000

/** Prefix of a descriptor's option name: `condition_descriptors.40001`. */
const prefix = 'condition_descriptors.'

/** "Certification Number" of graded cards. eBay calls it optional but refuses listings without it (error 25066). */
const certificationNumber = '27503'

/** A detail of a condition that a category asks for, such as the grade of a trading card. */
interface Descriptor {
  id: string
  name: string
  required: boolean
  freeText: boolean
  values: { id: string; name: string }[]
}

interface CategoryCondition extends AllowedCondition {
  descriptors: Descriptor[]
}

type SiteCategory = { site: string; language: string; category: string }

/**
 * Returns the conditions that a category accepts (Metadata API, getItemConditionPolicies), or all of eBay's if eBay has
 * no policy for it. Cached for a day.
 */
export async function readConditions(
  rest: Rest,
  access: ShopAccess,
  { site, language, category }: SiteCategory,
  cache: AnswerCache,
): Promise<CategoryCondition[]> {
  const filter = encodeURIComponent(`categoryIds:{${category}}`)
  const path = `/sell/metadata/v1/marketplace/${encodeURIComponent(site)}/get_item_condition_policies?filter=${filter}`
  const answer = await cache.read(`${language} ${path}`, maxAgeMs, () =>
    rest({
      method: 'GET',
      ...access,
      language,
      call: 'the conditions of the category',
      path,
      schema: ConditionPolicies,
    }).catch((error: unknown) => {
      if (error instanceof PlatformError && ['refused', 'not_found'].includes(error.failure)) return undefined
      throw error
    }),
  )
  const policy = answer?.itemConditionPolicies.find(({ categoryId }) => categoryId === category)
  const known = (policy?.itemConditions ?? []).flatMap((one): CategoryCondition[] => {
    const condition = conditionOfId(one.conditionId)
    if (!condition) return []
    const name = one.conditionDescription?.trim() || conditions[condition]
    return [{ condition, name, descriptors: (one.conditionDescriptors ?? []).map(descriptorOf) }]
  })
  if (known.length > 0) return known
  return Object.entries(conditions).map(([condition, name]) => ({
    condition: condition as EbayCondition,
    name,
    descriptors: [],
  }))
}

type WireDescriptor = NonNullable<
  ConditionPolicies['itemConditionPolicies'][number]['itemConditions'][number]['conditionDescriptors']
>[number]

function descriptorOf(wire: WireDescriptor): Descriptor {
  const constraint = wire.conditionDescriptorConstraint
  const id = wire.conditionDescriptorId
  return {
    id,
    name: wire.conditionDescriptorName || id,
    required: constraint?.usage === 'REQUIRED' || id === certificationNumber,
    freeText: constraint?.mode === 'FREE_TEXT',
    values: (wire.conditionDescriptorValues ?? []).map((value) => ({
      id: value.conditionDescriptorValueId,
      name: value.conditionDescriptorValueName || value.conditionDescriptorValueId,
    })),
  }
}

/** Returns the condition choice, and the descriptors that the chosen condition needs. */
export function conditionChoices(allowed: readonly CategoryCondition[], item: PublishRequest): ListingChoice[] {
  // Condition names of graded categories mean something else, so only a single one is suggested, with its descriptors.
  const isGraded = allowed.some(({ descriptors }) => descriptors.length > 0)
  const only = allowed.length === 1 ? allowed[0]!.condition : null
  const suggested = isGraded ? only : conditionAmong(item.condition.label, allowed)
  const chosen = item.options.condition ?? suggested
  const choice: ListingChoice = {
    option: 'condition',
    required: true,
    values: allowed.map(({ condition, name }) => ({ id: condition, name, suggested: condition === suggested })),
  }
  const more = allowed.find(({ condition }) => condition === chosen)?.descriptors ?? []
  return [
    choice,
    ...more.map(({ id, name, required, freeText, values }) => ({
      option: `${prefix}${id}`,
      label: name,
      required,
      free_text: freeText,
      values,
    })),
  ]
}

/** Returns the condition descriptors of an item. Chosen values are sent by id, and free text as such. */
export async function conditionDescriptorsOf(
  rest: Rest,
  access: ShopAccess,
  siteCategory: SiteCategory,
  chosen: { condition: string; descriptors: Record<string, string> },
  cache: AnswerCache,
): Promise<Fields[]> {
  if (Object.keys(chosen.descriptors).length === 0) return []
  const allowed = await readConditions(rest, access, siteCategory, cache)
  const known = allowed.find(({ condition }) => condition === chosen.condition)?.descriptors ?? []
  return known.flatMap(({ id, freeText }): Fields[] => {
    const value = chosen.descriptors[id]?.trim()
    if (!value) return []
    return [freeText ? { Name: id, AdditionalInfo: value.slice(0, 30) } : { Name: id, Value: value }]
  })
}
