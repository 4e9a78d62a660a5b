import type { PublishRequest } from '#server/integrations/port.ts'
import { Regulatory } from '#shared/item-details.ts'

type Contact = NonNullable<Regulatory['manufacturer']>
type Attributes = Pick<PublishRequest, 'attributes'>

const union = new Set([
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
  ...['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
])

/** Whether the manufacturer or the responsible person is in the EU. eBay refuses an offer otherwise (error 25115). */
export function isInUnion({ attributes }: Attributes): boolean {
  const { data } = Regulatory.safeParse(attributes.regulatory)
  return [data?.manufacturer, data?.responsible_person].some((contact) => union.has(contact?.country ?? ''))
}

/**
 * Returns the manufacturer and responsible person (EU General Product Safety Regulation) of an item's `regulatory`
 * attribute. Null if it has neither, or eBay would refuse them.
 */
export function regulatoryOf({ attributes }: Attributes): object | null {
  const { data } = Regulatory.safeParse(attributes.regulatory)
  if (!data || (!data.manufacturer && !data.responsible_person)) return null
  const { manufacturer, responsible_person } = data
  return {
    ...(manufacturer ? { manufacturer: contactOf(manufacturer) } : {}),
    ...(responsible_person
      ? { responsiblePersons: [{ ...contactOf(responsible_person), types: ['EUResponsiblePerson'] }] }
      : {}),
  }
}

function contactOf({ name, line1, line2, city, region, postal_code, country, email, phone }: Contact): object {
  const contact = {
    companyName: name,
    addressLine1: line1,
    addressLine2: line2,
    city,
    stateOrProvince: region,
    postalCode: postal_code,
    country,
    email,
    phone,
  }
  return Object.fromEntries(Object.entries(contact).filter(([, value]) => value !== undefined))
}
