/** A shipping service of a site. */
interface ShippingService {
  id: string
  name: string
  category: 'ECONOMY' | 'STANDARD' | 'EXPEDITED' | 'PICKUP' | 'NONE'
  isDomestic: boolean
  /** New listings can offer it. */
  isSold: boolean
}

type Row = [id: string, name: string, category: ShippingService['category'], more?: 'abroad' | 'retired']

/**
 * Some of each site's services, by the site's id. Source: ShippingServiceCodeType in the reference of the Trading API,
 * with the marks that GeteBayDetails gives them.
 */
const rows: Record<string, Row[]> = {
  '0': [
    ['UPSGround', 'UPS Ground', 'STANDARD'],
    ['USPSParcel', 'USPS Ground Advantage', 'STANDARD'],
    ['USPSFirstClass', 'USPS First Class Package', 'STANDARD', 'retired'],
    ['USPSPriority', 'USPS Priority Mail', 'EXPEDITED'],
    ['USPSMedia', 'USPS Media Mail', 'ECONOMY'],
    ['Pickup', 'Local Pickup', 'PICKUP'],
    ['USPSPriorityMailInternational', 'USPS Priority Mail International', 'NONE', 'abroad'],
  ],
  '3': [
    ['UK_RoyalMailSecondClassStandard', 'Royal Mail 2nd Class', 'ECONOMY'],
    ['UK_OtherCourier', 'Other Courier', 'STANDARD'],
    ['UK_CollectInPerson', 'Collection in person', 'PICKUP'],
  ],
  '77': [
    ['DE_DHLPaket', 'DHL Paket', 'STANDARD'],
    ['DE_HermesPaket', 'Hermes Paket', 'STANDARD'],
    ['DE_Pickup', 'Abholung', 'PICKUP'],
    ['DE_DHLPaketInternational', 'DHL Paket International', 'NONE', 'abroad'],
  ],
  '2': [
    ['CA_PostRegularParcel', 'Canada Post Regular Parcel', 'STANDARD'],
    ['CA_PostExpeditedParcel', 'Canada Post Expedited Parcel', 'EXPEDITED'],
  ],
  '210': [['CAFR_PostRegularParcel', 'Postes Canada, colis standard', 'STANDARD']],
  '71': [['FR_ColiPosteColissimo', 'La Poste, Colissimo', 'STANDARD']],
  '16': [['AT_StandardDispatch', 'Standardversand', 'STANDARD']],
  '205': [['IE_OtherCourier', 'Other Courier', 'STANDARD']],
  '15': [['AU_Regular', 'Australia Post Parcel Post', 'STANDARD']],
}

/** Returns the shipping services of a site; some for a site without its own list. */
export function shippingServicesOf(siteId: string): ShippingService[] {
  return (rows[siteId] ?? [['Other', 'Standard shipping', 'STANDARD'] satisfies Row]).map(
    ([id, name, category, more]) => ({
      ...{ id, name, category },
      ...{ isDomestic: more !== 'abroad', isSold: more !== 'retired' },
    }),
  )
}
