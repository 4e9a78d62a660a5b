import type { PublishRequest } from '#server/integrations/port.ts'
import { Regulatory } from '#shared/item/item-details.ts'
import type { Fields } from '../client.ts'

type Contact = NonNullable<Regulatory['manufacturer']>
type Attributes = Pick<PublishRequest, 'attributes'>

const union = new Set([
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
  ...['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
])

/** Whether an address is in Northern Ireland, where the EU's General Product Safety Regulation applies as well. */
export const isNorthernIrish = (address: { country?: string | undefined; postal_code?: string | undefined }): boolean =>
  address.country === 'GB' && /^BT\d/i.test(address.postal_code?.trim() ?? '')

/**
 * Whether the manufacturer or the responsible person is in the EU or Northern Ireland. eBay refuses an offer otherwise
 * (error 25115; eBay Developers Program newsletter of Q2 2024).
 */
export function isInUnion({ attributes }: Attributes): boolean {
  const { data } = Regulatory.safeParse(attributes.regulatory)
  return [data?.manufacturer, data?.responsible_person].some(
    (contact) => contact && (union.has(contact.country ?? '') || isNorthernIrish(contact)),
  )
}

/**
 * Returns the manufacturer and responsible person (EU General Product Safety Regulation) of an item's `regulatory`
 * attribute. Null if it has neither, or eBay would refuse them.
 */
export function regulatoryOf({ attributes }: Attributes): Fields | null {
  const { data } = Regulatory.safeParse(attributes.regulatory)
  if (!data || (!data.manufacturer && !data.responsible_person)) return null
  const { manufacturer, responsible_person } = data
  return {
    Manufacturer: manufacturer && contactOf(manufacturer),
    ResponsiblePersons: responsible_person && {
      ResponsiblePerson: { ...contactOf(responsible_person), Types: { Type: 'EUResponsiblePerson' } },
    },
  }
}

const contactOf = ({ name, line1, line2, city, region, postal_code, country, email, phone }: Contact): Fields => ({
  CompanyName: name,
  Street1: line1,
  Street2: line2,
  CityName: city,
  StateOrProvince: region,
  PostalCode: postal_code,
  Country: country,
  Phone: phone,
  Email: email,
})
