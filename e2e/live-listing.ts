import type { ExtensionSlug } from '#shared/platforms.ts'
import type { AnySite } from './site-fixture.ts'
import { type DepopSite, startDepop } from './sites/depop.ts'
import { type MercariSite, startMercari } from './sites/mercari.ts'
import { type PoshmarkSite, startPoshmark } from './sites/poshmark.ts'

/** Numbers of listings by state, few so that a site starts fast. */
export const few = { on_sale: 2, trading: 0, sold_out: 0, selling: 2, sold: 0 }

interface LiveListing {
  listing_id: string
  url: string
  title: string
}

/** A site with the seller's first listings. */
export interface SiteWithListings<Site extends AnySite = AnySite> {
  site: Site & { keepsDeleted: boolean }
  listings: LiveListing[]
  isUp: (listing?: LiveListing) => boolean
  /** Deletes the first listing, as its seller would on another device. */
  remove: () => void
}

/** Starts a site where the seller has a few listings. */
export async function startWithListings(platform: ExtensionSlug): Promise<SiteWithListings> {
  if (platform === 'poshmark') return onPoshmark(await startPoshmark({ listings: 3 }))
  if (platform === 'mercari') return onMercari(await startMercari({ listings: few }))
  return onDepop(await startDepop({ listings: few }))
}

export function onPoshmark(site: PoshmarkSite): SiteWithListings<PoshmarkSite> {
  const closet = site.closets.get('samplecloset')!
  const listings = closet.posts.map(({ id, title }) => ({
    ...{ listing_id: id, title },
    url: `https://poshmark.com/listing/x-${id}`,
  }))
  return {
    ...{ site, listings },
    isUp: ({ listing_id } = listings[0]!) => closet.posts.some((post) => post.id === listing_id),
    remove: () => void closet.posts.shift(),
  }
}

export function onMercari(site: MercariSite): SiteWithListings<MercariSite> {
  const listings = site.items.map(({ id, name }) => ({
    ...{ listing_id: id, title: name },
    url: `https://www.mercari.com/us/item/${id}/`,
  }))
  return {
    ...{ site, listings },
    isUp: ({ listing_id } = listings[0]!) => site.items.some((item) => item.id === listing_id),
    remove: () => void site.items.shift(),
  }
}

export function onDepop(site: DepopSite): SiteWithListings<DepopSite> {
  const listings = site.products.map(({ id, slug, description }) => ({
    ...{ listing_id: String(id), title: description.split('\n')[0]! },
    url: `https://www.depop.com/products/${slug}/`,
  }))
  return {
    ...{ site, listings },
    isUp: ({ listing_id } = listings[0]!) => site.products.some((one) => String(one.id) === listing_id),
    remove: () => void site.products.shift(),
  }
}
