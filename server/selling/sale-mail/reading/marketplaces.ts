import type { PlatformSlug } from '#shared/platforms.ts'
import { readDepop } from './depop.ts'
import { readEbay } from './ebay.ts'
import { readEtsy } from './etsy.ts'
import type { Hint, MailWords } from './hint.ts'
import { readMercari } from './mercari.ts'
import { readPoshmark } from './poshmark.ts'

/** A marketplace whose sale mails count. */
export interface MailingMarketplace {
  slug: PlatformSlug
  /** Its own domain. A signature counts only for this domain or one below it. */
  domain: string
  /** Returns whether it sends such mails from this address, which is in lower case. */
  isSender(address: string, kind: 'sale' | 'cancellation'): boolean
  read(words: MailWords): Hint
}

/** Returns whether a domain is another one or lies below it. */
export const isWithin = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`)

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

const marketplaces: MailingMarketplace[] = [
  {
    slug: 'poshmark',
    domain: 'poshmark.com',
    // Cancellations come from several of its addresses.
    isSender: (address, kind) =>
      kind === 'sale' ? address === 'orders@poshmark.com' : domainOf(address) === 'poshmark.com',
    read: readPoshmark,
  },
  {
    slug: 'mercari',
    domain: 'mercari.com',
    isSender: (address) => address === 'no-reply@alerts.us.mercari.com',
    read: readMercari,
  },
  {
    slug: 'depop',
    domain: 'depop.com',
    isSender: (address) => address === 'sold@alerts.depop.com',
    read: readDepop,
  },
  {
    slug: 'ebay',
    domain: 'ebay.com',
    // Its mails come from several addresses. They change nothing themselves: the order is fetched.
    isSender: (address) => isWithin(domainOf(address), 'ebay.com'),
    read: readEbay,
  },
  {
    slug: 'etsy',
    domain: 'etsy.com',
    isSender: (address) => address === 'transaction@etsy.com',
    read: readEtsy,
  },
]

/** Marketplaces that Hapax recognizes and does not connect, with the subjects of their sales. */
const unconnected = [
  { slug: 'vinted', domains: ['vinted.com'], sold: /^You sold an item on Vinted$/i },
  { slug: 'whatnot', domains: ['whatnot.com'], sold: /^Your (.+) got sold! Get ready to ship it\.?$/i },
  { slug: 'facebook', domains: ['facebook.com', 'facebookmail.com'], sold: /^New Marketplace order for (.+)$/i },
  { slug: 'grailed', domains: ['grailed.com'], sold: /^Item Sold: (.+)$/i },
] as const

export type UnconnectedSlug = (typeof unconnected)[number]['slug']

/** Returns the marketplace of a sender's address; null for any other sender. */
export const marketplaceOf = (address: string): MailingMarketplace | null =>
  marketplaces.find(({ domain }) => isWithin(domainOf(address), domain)) ?? null

/** Returns the marketplace of a sender that is recognized and not connected, with what its subject says. */
export function unconnectedOf(
  address: string,
  subject: string,
): { slug: UnconnectedSlug; kind: 'sale' | 'other'; title: string | null } | null {
  const found = unconnected.find(({ domains }) => domains.some((domain) => isWithin(domainOf(address), domain)))
  if (!found) return null
  const sold = found.sold.exec(subject)
  return { slug: found.slug, kind: sold ? 'sale' : 'other', title: sold?.[1] ?? null }
}

/** Texts of senders and subjects that a mailbox is searched for: mails without any are not read. */
const isOfInterest = /poshmark|mercari|depop|ebay|etsy|vinted|whatnot|facebook|grailed|forwarding-noreply@google\.com/i

/** Returns whether a mail in a mailbox may be about a sale, by its sender and subject. */
export const mayBeSaleMail = (from: string, subject: string): boolean =>
  isOfInterest.test(from) || isOfInterest.test(subject)
