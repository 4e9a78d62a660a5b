/** An offer of the Inventory API in the sandbox. */
export interface SandboxOffer {
  offerId: string
  seller: string
  sku: string
  marketplaceId: string
  format: string
  /** The other fields, as the seller sent them. */
  details: Record<string, unknown>
  /** The listing that it was published as; null for an unpublished offer. */
  listingId: string | null
}

/** Objects of the Inventory API as saved in the state file, by `seller/name`. */
export interface SavedOffers {
  locations: Record<string, Record<string, unknown>>
  items: Record<string, Record<string, unknown>>
  offers: Record<string, SandboxOffer>
  optIns?: Record<string, number>
}

/** Locations, inventory items and offers of all sellers. */
export interface OfferStore {
  location(seller: string, key: string): Record<string, unknown> | undefined
  putLocation(seller: string, key: string, body: Record<string, unknown>): void
  item(seller: string, sku: string): Record<string, unknown> | undefined
  putItem(seller: string, sku: string, body: Record<string, unknown>): void
  offer(offerId: string): SandboxOffer | undefined
  /** Returns an offer as it was `lagMs` ago. */
  seen(offerId: string, lagMs: number): SandboxOffer | undefined
  offersOf(seller: string, sku: string, lagMs?: number): SandboxOffer[]
  putOffer(offer: Omit<SandboxOffer, 'offerId'> & { offerId?: string }): SandboxOffer
  removeOffer(offerId: string): void
  /** Returns when a seller asked to opt in to business policies, in epoch ms; null for never. */
  optedInAt(seller: string): number | null
  optIn(seller: string): void
}

export function createOfferStore(options: {
  clock: () => Date
  saved?: SavedOffers
  onChange?: (saved: SavedOffers) => void
}): OfferStore {
  const saved: SavedOffers = {
    locations: { ...options.saved?.locations },
    items: { ...options.saved?.items },
    offers: { ...options.saved?.offers },
    optIns: { ...options.saved?.optIns },
  }
  const save = () => options.onChange?.(saved)
  const key = (seller: string, name: string) => `${seller}/${name}`
  /** Earlier versions of offers, for reads with a lag. */
  const past = new Map<string, { until: number; was: SandboxOffer | undefined }[]>()
  const remember = (offerId: string) => {
    const now = options.clock().getTime()
    const recent = (past.get(offerId) ?? []).filter(({ until }) => until > now - 600_000)
    past.set(offerId, [...recent, { until: now, was: saved.offers[offerId] }])
  }
  const seen = (offerId: string, lagMs: number) => {
    const at = options.clock().getTime() - lagMs
    const later = lagMs > 0 ? past.get(offerId)?.find(({ until }) => until > at) : undefined
    return later ? later.was : saved.offers[offerId]
  }
  return {
    optedInAt: (seller) => saved.optIns?.[seller] ?? null,
    optIn(seller) {
      saved.optIns = { ...saved.optIns, [seller]: options.clock().getTime() }
      save()
    },
    location: (seller, name) => saved.locations[key(seller, name)],
    putLocation(seller, name, body) {
      saved.locations[key(seller, name)] = body
      save()
    },
    item: (seller, sku) => saved.items[key(seller, sku)],
    putItem(seller, sku, body) {
      saved.items[key(seller, sku)] = body
      save()
    },
    offer: (offerId) => saved.offers[offerId],
    seen,
    offersOf: (seller, sku, lagMs = 0) =>
      Object.keys(saved.offers)
        .map((offerId) => seen(offerId, lagMs))
        .filter((offer) => offer !== undefined)
        .filter((offer) => offer.seller === seller && offer.sku === sku),
    putOffer(given) {
      const offerId = given.offerId ?? String(Math.max(543_000_000_000, ...Object.keys(saved.offers).map(Number)) + 1)
      remember(offerId)
      const offer = { ...given, offerId }
      saved.offers[offerId] = offer
      save()
      return offer
    },
    removeOffer(offerId) {
      remember(offerId)
      delete saved.offers[offerId]
      save()
    },
  }
}
