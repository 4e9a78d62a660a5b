import { type PlatformSlug, platformDomains, type UnconnectedSlug } from '#shared/platforms.ts'
import { readDepop } from './depop.ts'
import { readEbay } from './ebay.ts'
import { readEtsy } from './etsy.ts'
import { type Hint, type MailWords, noSale } from './hint.ts'
import { readMercari } from './mercari.ts'
import { readPoshmark } from './poshmark.ts'
import { bareSubject, soldTitle } from './sentences.ts'
import { readUnconnected } from './unconnected.ts'

/** A marketplace whose sale mails count. */
export interface MailingMarketplace {
  slug: PlatformSlug | UnconnectedSlug
  /** Its own domains. A signature counts only for one of them or one below. */
  domains: readonly string[]
  /** Returns whether it sends such mails from this address, which is in lower case. */
  isSender(address: string, kind: 'sale' | 'cancellation'): boolean
  /** Returns the reading of its mail. A mail whose form is not known is unclear, never no sale. */
  read(words: MailWords): Hint
}

interface Known extends Omit<MailingMarketplace, 'read'> {
  /** Domains of its mails that are advertising and messages of strangers only. */
  chatter: readonly string[]
  /** The address of advertising that itself speaks of sales: "Get your listings SOLD". */
  advertises?: string
  /** Returns null where the form is not known. */
  readKnown(words: MailWords): Hint | null
}

/** Returns whether a domain is one of others or lies below one. */
export const isWithin = (domain: string, parents: readonly string[]): boolean =>
  parents.some((parent) => domain === parent || domain.endsWith(`.${parent}`))

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

const marketplaces: Known[] = [
  {
    slug: 'poshmark',
    domains: platformDomains.poshmark,
    // Cancellations come from several of its addresses, on the domain of the country.
    isSender: (address, kind) =>
      platformDomains.poshmark.some((domain) =>
        kind === 'sale' ? address === `orders@${domain}` : domainOf(address) === domain,
      ),
    chatter: [],
    advertises: 'info@poshmark.com',
    readKnown: readPoshmark,
  },
  {
    slug: 'mercari',
    domains: platformDomains.mercari,
    isSender: (address) => address === 'no-reply@alerts.us.mercari.com',
    chatter: ['hello.us.mercari.com'],
    readKnown: readMercari,
  },
  {
    slug: 'depop',
    domains: platformDomains.depop,
    isSender: (address) => address === 'sold@alerts.depop.com',
    chatter: ['ohhey.depop.com'],
    readKnown: readDepop,
  },
  {
    slug: 'ebay',
    domains: platformDomains.ebay,
    // Mails of eBay and Etsy come from several addresses. They change nothing themselves: the order is fetched.
    isSender: (address) => isWithin(domainOf(address), platformDomains.ebay),
    chatter: platformDomains.ebay.flatMap((domain) => [`reply.${domain}`, `members.${domain}`]),
    readKnown: readEbay,
  },
  {
    slug: 'etsy',
    domains: platformDomains.etsy,
    isSender: (address) => isWithin(domainOf(address), platformDomains.etsy),
    chatter: ['email.etsy.com', 'seller.etsy.com', 'mail.etsy.com', 'account.etsy.com'],
    readKnown: readEtsy,
  },
  ...(
    [
      // Vinted writes from the domain of the country.
      [
        'vinted',
        ...['vinted.com', 'vinted.co.uk', 'vinted.ie', 'vinted.fr', 'vinted.be', 'vinted.lu', 'vinted.nl', 'vinted.de'],
        ...['vinted.at', 'vinted.it', 'vinted.es', 'vinted.pt', 'vinted.pl', 'vinted.cz', 'vinted.sk', 'vinted.hu'],
        ...['vinted.ro', 'vinted.gr', 'vinted.hr', 'vinted.lt', 'vinted.se', 'vinted.dk', 'vinted.fi'],
      ],
      ['whatnot', 'whatnot.com'],
      ['facebook', 'facebook.com', 'facebookmail.com'],
      ['grailed', 'grailed.com'],
    ] as const
  ).map(([slug, ...domains]) => ({
    slug,
    domains,
    isSender: () => true,
    chatter: domains,
    readKnown: readUnconnected,
  })),
]

/** Returns the marketplace of a sender's address, which reads its mails; null for any other sender. */
export function marketplaceOf(address: string): MailingMarketplace | null {
  const found = marketplaces.find(({ domains }) => isWithin(domainOf(address), domains))
  if (!found) return null
  const isChatter = isWithin(domainOf(address), found.chatter)
  const saysNoSale = (subject: string) =>
    address === found.advertises
      ? soldTitle(subject) === null && !/".+"/.test(subject)
      : isChatter && !saleWords.test(spoken(subject))
  return {
    ...found,
    read: (words) => {
      const subject = bareSubject(words.subject)
      return found.readKnown({ ...words, subject }) ?? (saysNoSale(subject) ? noSale : unclear(subject))
    },
  }
}

const saleWords =
  /\b(?:sold|sales?|order(?:s|ed)?|purchased?|bought|bundles?|cancel\w*|return(?:s|ed)?|refund(?:s|ed)?|do not ship)\b/i
const cancelWords = /\b(?:cancel\w*|return(?:s|ed)?|refund(?:s|ed)?|do not ship)\b/i

/** Returns a subject without the title that it quotes: strangers choose titles. */
const spoken = (subject: string) => subject.replace(/".*"/, '')

/** Returns the reading of a mail whose form is not known, by its bare subject. */
export function unclear(subject: string): Hint {
  const title =
    soldTitle(subject) ??
    /"(.+)"/.exec(subject)?.[1] ??
    /^(?!(?:re|fwd?|fw):)[^:]{3,60}: (.+)$/i.exec(subject)?.[1] ??
    null
  return { kind: 'unclear', of: cancelWords.test(spoken(subject)) ? 'cancellation' : 'sale', title }
}

/** Texts of senders and subjects that a mailbox is searched for: mails without any are not read. */
const isOfInterest = /poshmark|mercari|depop|ebay|etsy|vinted|whatnot|facebook|grailed|forwarding-noreply@google\.com/i

/** Returns whether a mail in a mailbox may be about a sale, by its sender and subject. */
export const mayBeSaleMail = (from: string, subject: string): boolean =>
  isOfInterest.test(from) || isOfInterest.test(subject)
