import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import type { Hint } from '../reading/hint.ts'
import { type MailingMarketplace, marketplaceOf } from '../reading/marketplaces.ts'
import type { ParsedMail } from '../reading/parse-mail.ts'
import type { Verified } from '../verifying/verify-signature.ts'

export type Reason = NonNullable<SaleMailMessage['reason']>

/** Older mails change nothing. */
const longestMs = 3 * 86_400_000
/** The subjects of mails that somebody forwarded by hand, in the languages of common programs. */
const forwarded = /^\s*(?:fwd?|fw|wg|tr|rv|enc|i|vb|doorst)\s*:/i

/** The marketplace of a mail, whose signature decides; or why it has none. */
export type Sender =
  | { marketplace: MailingMarketplace; hint: Hint }
  | { gmail: { code: string; link: string | null } }
  | { marketplace: null; reason: Reason }

/** Returns who a mail says it is from. */
export function senderOf(mail: ParsedMail, proved: ReadonlySet<string>): Sender {
  const [address, ...more] = mail.from
  const marketplace = null
  if (address === undefined) return { marketplace, reason: 'malformed' }
  if (more.length > 0) return { marketplace, reason: mail.counts.from > 1 ? 'signature' : 'sender' }
  const found = marketplaceOf(address)
  if (found) return { marketplace: found, hint: found.read(mail) }
  const gmail = address === gmailSender ? confirmationOf(mail) : null
  if (gmail) return { gmail }
  const isForwarded = forwarded.test(mail.subject) || proved.has(address)
  return { marketplace, reason: isForwarded ? 'forwarded' : 'sender' }
}

/** The address that sends Gmail's question, and the domain that signs it. */
export const gmailSender = 'forwarding-noreply@google.com'
export const gmailDomain = 'google.com'

/** Returns the code and link of Gmail's question whether it may forward; null for another mail. */
function confirmationOf({ subject, bodies }: ParsedMail): { code: string; link: string | null } | null {
  if (!/Gmail Forwarding Confirmation/i.test(subject)) return null
  const lines = bodies.flat()
  const code =
    /\(#(\d{6,12})\)/.exec(subject)?.[1] ??
    lines.map((line) => /^Confirmation code: ?(\d{6,12})$/i.exec(line)?.[1]).find((found) => found !== undefined)
  if (code === undefined) return null
  const links = lines.flatMap((line) => line.match(/https:\/\/[^\s<>"]{1,1000}/g) ?? [])
  const link = links.find((one) => /^https:\/\/(?:mail-settings|mail|isolated\.mail)\.google\.com\//.test(one)) ?? null
  return { code, link }
}

/** An earlier mail about the same order or listing, or a reading that showed the listing on offer (`findEarlier`). */
export interface EarlierMail {
  kind: 'sale' | 'cancellation' | 'freed'
  sent_at: string
  /** It says the same of the listing, the title, the price, and the things in a bundle. */
  is_same: boolean
}

/** The facts that decide about a mail of a marketplace. */
interface Known {
  verified: Verified
  proved: ReadonlySet<string>
  received_at: Date
  earlier: readonly EarlierMail[]
}

/** Returns when a mail was written, as far as that is signed; otherwise its arrival. Never after it. */
export function sentAt(verified: Verified, received_at: Date): Date {
  const signed = verified.outcome === 'valid' ? verified.signed_at : null
  return signed && signed < received_at ? signed : received_at
}

/**
 * Classifies a mail of a marketplace: a reason to refuse it, `ignored` for a mail that changes nothing, `differs` for one that
 * says something else of a sale than an earlier mail did, or null if it is believed.
 */
export function classifyMail(
  mail: ParsedMail,
  { marketplace, hint }: { marketplace: MailingMarketplace; hint: Hint },
  { verified, proved, received_at, earlier }: Known,
): Reason | 'ignored' | 'differs' | null {
  if (verified.outcome !== 'valid') return 'signature'
  if (hint.kind === 'other') return 'ignored'
  const [to, ...others] = mail.to
  if (to === undefined || others.length > 0 || !(proved.has(to) || proved.has(withoutTag(to)))) return 'recipient'
  const sent = sentAt(verified, received_at)
  if (received_at.getTime() - sent.getTime() > longestMs) return 'too_old'
  if (hint.kind !== 'unclear' && !marketplace.isSender(mail.from[0]!, hint.kind)) return 'sender'
  if (hint.kind === 'unclear') return 'form'
  const told = isTold(hint, verified.signed_at, sent, earlier) ? earlier.filter(({ kind }) => kind === hint.kind) : []
  if (told.some(({ is_same }) => is_same)) return 'replayed'
  // The cancellation came in before its sale did.
  const isCancelled =
    hint.kind === 'sale' &&
    hint.order_id !== null &&
    earlier.some(({ kind, is_same }) => kind === 'cancellation' && is_same)
  if (isCancelled) return 'ignored'
  return told.length > 0 && hint.kind === 'sale' ? 'differs' : null
}

/** Returns the address whose owner reads the mails to "name+tag@domain". */
const withoutTag = (address: string) => {
  const [name = '', domain] = address.split('@')
  return `${name.split('+')[0]}@${domain}`
}

/**
 * Returns whether a mail told of the same sale before. An order's id counts once. Without one, a listing that was sold and
 * canceled may be sold again. Where a reading shows that it is on offer again, a later sale must have a signed time: any
 * copy of the first mail would arrive later.
 */
function isTold(
  hint: Extract<Hint, { order_id: string | null }>,
  signed_at: Date | null,
  sent: Date,
  earlier: readonly EarlierMail[],
): boolean {
  const last = earlier.findLast(({ kind }) => kind === hint.kind)
  if (!last || hint.order_id !== null) return last !== undefined
  const ends = earlier.filter(({ kind }) => (kind === 'freed' ? signed_at !== null : kind !== hint.kind))
  return !ends.some((mail) => mail.sent_at > last.sent_at && new Date(mail.sent_at) < sent)
}
