import type { TradingFault } from '../trading-call.ts'
import { childrenOf, textOf, type XmlElement } from '../xml.ts'
import { badInput } from './item-fault.ts'
import type { SandboxSite } from './sites.ts'

const union = [
  ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'],
  ...['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
]

const address = ['Street1', 'CityName', 'PostalCode', 'Country']

/** Returns the fault of a listing's manufacturer and responsible persons (General Product Safety Regulation). */
export function contactFault(regulatory: XmlElement, { marketplaceId }: SandboxSite): TradingFault | null {
  const manufacturer = childrenOf(regulatory.Manufacturer)
  const persons = [childrenOf(regulatory.ResponsiblePersons)?.ResponsiblePerson ?? []]
    .flat()
    .map((one) => childrenOf(one) ?? {})
  const all = [
    ...(manufacturer ? [{ tag: 'Manufacturer', contact: manufacturer }] : []),
    ...persons.map((contact) => ({ tag: 'ResponsiblePersons.ResponsiblePerson', contact })),
  ]
  for (const { tag, contact } of all) {
    if (textOf(contact.CompanyName) === '') return badInput(`Regulatory.${tag}.CompanyName`)
    const given = address.filter((name) => textOf(contact[name]) !== '').length
    if (given > 0 && given < address.length) return badInput(`Regulatory.${tag}`)
  }
  const isTyped = ({ Types }: XmlElement) => textOf(childrenOf(Types)?.Type) === 'EUResponsiblePerson'
  if (!persons.every(isTyped)) return badInput('Regulatory.ResponsiblePersons.ResponsiblePerson.Types')
  if (all.length === 0 || !union.includes(marketplaceId.replace('EBAY_', ''))) return null
  // Northern Ireland counts (eBay Developers Program newsletter of Q2 2024).
  const isNorthernIrish = ({ Country, PostalCode }: XmlElement) =>
    textOf(Country) === 'GB' && /^BT\d/.test(textOf(PostalCode))
  if (all.some(({ contact }) => union.includes(textOf(contact.Country)) || isNorthernIrish(contact))) return null
  const long = 'Either the Manufacturer or at least one of the Responsible Persons must be located in the EU.'
  return { ...badInput('Regulatory'), long }
}
