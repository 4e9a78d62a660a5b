import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import { findPlatform, unconnectedMarketplaces } from '#shared/platforms.ts'
import { moneyText } from '../common/format.ts'
import { text } from './words.ts'

/** Returns the name of a marketplace that sends mails, connected or not. */
const mailTitle = (slug: NonNullable<SaleMailMessage['marketplace']>): string =>
  findPlatform(slug)?.name ?? (unconnectedMarketplaces as Record<string, string>)[slug] ?? slug

/** Returns what a mail is about: "Sold on Mercari for $45.00". */
export function mailHeadline(mail: SaleMailMessage): string {
  const { marketplace, kind, price_minor, currency, confirmation } = mail
  if (confirmation) return text('mail.gmail')
  if (marketplace === null) return text('mail.unknown')
  const platform = mailTitle(marketplace)
  if (kind === 'other') return text('mail.other', { platform })
  if (kind === 'cancellation') return text('mail.canceled', { platform })
  if (price_minor === null || currency === null) return text('mail.sold_unpriced', { platform })
  return text('mail.sold', { platform, price: moneyText(price_minor, currency) })
}

/** Returns what a mail did, or why it did nothing and what helps. */
export function mailEffect(mail: SaleMailMessage): string {
  const { outcome, reason, kind, confirmation } = mail
  const platform = mail.marketplace ? mailTitle(mail.marketplace) : ''
  if (confirmation) return text('did.gmail')
  if (outcome === 'refused') return text(`refused.${reason ?? 'malformed'}`, { platform })
  if (outcome === 'ignored') return text(kind === 'other' ? 'did.no_sale' : 'did.settled')
  return text(`did.${outcome}`, { platform })
}
