import type { SandboxResponse } from '#server/sandbox/kit/http.ts'
import { isBody, member, text } from './body.ts'
import { fault } from './faults.ts'
import type { Body } from './operation.ts'
import type { SandboxSite } from './sites.ts'

const union = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
  ...['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
]

/** Returns the fault of an offer's manufacturer and responsible persons (General Product Safety Regulation). */
export function regulatoryFault(details: Body, { marketplaceId }: SandboxSite): SandboxResponse | null {
  const regulatory = member(details, 'regulatory')
  const manufacturer = isBody(regulatory.manufacturer) ? regulatory.manufacturer : null
  const persons = Array.isArray(regulatory.responsiblePersons) ? regulatory.responsiblePersons.filter(isBody) : []
  const all = manufacturer ? [manufacturer, ...persons] : persons
  if (all.length === 0) return null
  if (manufacturer && text(manufacturer.companyName) === '') {
    return fault(400, 25111, 'Manufacturer information is incomplete. Please provide the company name.')
  }
  if (persons.some(({ companyName }) => text(companyName) === '')) {
    return fault(400, 25114, 'Responsible Person information is incomplete. Please provide the company name.')
  }
  const address = ['addressLine1', 'city', 'postalCode', 'country']
  const isHalf = (contact: Body) => {
    const given = address.filter((name) => text(contact[name]) !== '').length
    return given > 0 && given < address.length
  }
  if (all.some(isHalf)) {
    const who = manufacturer && isHalf(manufacturer) ? 'Manufacturer' : 'Responsible Person'
    const why = 'When providing the address, please provide the street, city, postal code and country'
    return fault(400, who === 'Manufacturer' ? 25110 : 25113, `${who} address information is incomplete. ${why}`)
  }
  const isTyped = ({ types }: Body) => Array.isArray(types) && types.length === 1 && types[0] === 'EUResponsiblePerson'
  if (!persons.every(isTyped)) {
    return fault(400, 25116, 'Please provide a minimum of 1 and a maximum of 1 types for a Responsible Person.')
  }
  if (!union.includes(marketplaceId.replace('EBAY_', ''))) return null
  // Northern Ireland counts (eBay Developers Program newsletter of Q2 2024).
  const isNorthernIrish = ({ country, postalCode }: Body) => country === 'GB' && /^BT\d/.test(text(postalCode))
  if (all.some((contact) => union.includes(text(contact.country)) || isNorthernIrish(contact))) return null
  return fault(
    400,
    25115,
    'Either the Manufacturer or at least one of the Responsible Persons must be located in the EU.',
  )
}
