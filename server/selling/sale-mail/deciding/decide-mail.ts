import { decrypt } from '#server/infra/crypto/encrypt.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { createResolveTexts } from '#server/infra/name-server.ts'
import { requestOrder } from '#server/selling/orders/request-order.ts'
import type { Services } from '#server/services.ts'
import type { SaleMailMessage } from '#shared/contract/sale-mail.ts'
import { newOrderedId } from '#shared/identity.ts'
import { OAuthSlug } from '#shared/platforms.ts'
import { mailPlace, saleMailKey } from '../encryption.ts'
import * as sql from '../queries.ts'
import type { Hint } from '../reading/hint.ts'
import { MalformedMailError, maxReadBytes, type ParsedMail, parseMail } from '../reading/parse-mail.ts'
import { queueMail, type SaleMailJob } from '../store-mail.ts'
import { type Verified, verifySignature } from '../verifying/verify-signature.ts'
import { askSeller } from './ask-seller.ts'
import { type BelievedMail, freeListing, type HeldLine, holdLine } from './hold-lines.ts'
import { gmailDomain, judgeMail, type Reason, senderOf, sentAt } from './judge-mail.ts'

/** The outcome of a mail, as its row tells it. */
interface Decision {
  outcome: SaleMailMessage['outcome']
  reason?: Reason
  kind?: SaleMailMessage['kind']
  marketplace?: SaleMailMessage['marketplace']
  title?: string | null
  price_minor?: number | null
  currency?: string | null
  order_id?: string | null
  listing_id?: string | null
  item_uids?: string[]
  listing_ids?: string[]
  confirmation?: SaleMailMessage['confirmation']
  sent_at?: Date
  /** Lines of a bundle that nobody could name. */
  parts?: HeldLine[]
}

/** A mail waits for name servers this long. */
const longestWaitSeconds = 3_600
/** The first pause of a mail whose name server is silent. Each try doubles it, up to the longest. */
const [firstPauseSeconds, longestPauseSeconds] = [5, 300]

/**
 * Decides a stored mail: reads it, checks who wrote it, and holds or frees items, or orders that an order is fetched.
 * Safe to repeat: a crash between the items and the row of the mail only repeats what is known by then.
 */
export async function decideMail(services: Services, job: SaleMailJob): Promise<void> {
  const { db, config, log } = services
  const stored = await db.oneOrNone(sql.findWaiting(job))
  if (!stored) return
  const received_at = new Date(stored.received_at)
  const encoded = decrypt(stored.encrypted_mail, mailPlace(job.user_id, job.uid), saleMailKey(config))
  const raw = stored.size > maxReadBytes ? null : Buffer.from(encoded, 'base64')
  const decision = raw ? await decide(services, job, raw, received_at) : refused('malformed')
  if (decision === 'unreachable') {
    const seconds = (services.now().getTime() - received_at.getTime()) / 1_000
    log.warn({ uid: job.uid }, 'no name server answers for the signature of a sale mail')
    if (seconds < longestWaitSeconds) {
      const pause = Math.min(longestPauseSeconds, Math.max(firstPauseSeconds, seconds))
      return queueMail(services.jobs, db, job, Math.ceil(pause))
    }
  }
  await write(services, job, decision === 'unreachable' ? refused('signature') : decision)
}

const refused = (reason: Reason, more: Partial<Decision> = {}): Decision => ({ ...more, outcome: 'refused', reason })

async function decide(
  services: Services,
  job: SaleMailJob,
  raw: Buffer,
  received_at: Date,
): Promise<Decision | 'unreachable'> {
  const mail = await parseMail(raw).catch((error: unknown) => {
    if (error instanceof MalformedMailError) return null
    throw error
  })
  if (!mail) return refused('malformed')
  const { user_id } = job
  const proved = new Set((await services.db.any(sql.listProvedAddresses({ user_id }))).map(({ email }) => email))
  const sender = senderOf(mail, proved)
  const verify = (domain: string) =>
    verifySignature(raw, { ...mail, domain, at: received_at }, createResolveTexts(services.config.SALE_MAIL_DNS))
  if ('gmail' in sender) {
    const { outcome } = await verify(gmailDomain)
    if (outcome === 'unreachable') return outcome
    return outcome === 'valid' ? { outcome: 'ignored', confirmation: sender.gmail } : refused('signature')
  }
  if (!sender.marketplace) {
    const { reason, slug: marketplace, kind, title } = sender
    return refused(reason, { marketplace, kind, title })
  }
  const verified = await verify(sender.marketplace.domain)
  if (verified.outcome === 'unreachable') return 'unreachable'
  return decideBelieved(services, job, { mail, verified, proved, received_at, ...sender })
}

interface Facts extends Extract<ReturnType<typeof senderOf>, { hint: Hint }> {
  mail: ParsedMail
  verified: Verified
  proved: ReadonlySet<string>
  received_at: Date
}

async function decideBelieved(services: Services, { user_id, uid }: SaleMailJob, facts: Facts): Promise<Decision> {
  const { hint, marketplace, received_at } = facts
  const sent = sentAt(facts.verified, received_at)
  const shown: Partial<Decision> = { marketplace: marketplace.slug, sent_at: sent, ...shownOf(hint) }
  const named = hint.kind === 'sale' || hint.kind === 'cancellation'
  const earlier = named
    ? await services.db.any(sql.findEarlier({ user_id, uid, received_at: received_at.toISOString(), ...keyOf(shown) }))
    : []
  const verdict = judgeMail(facts.mail, facts, { ...facts, earlier })
  if (verdict === 'ignored') return { ...shown, outcome: 'ignored' }
  if (verdict !== null) return refused(verdict, shown)
  const mail = {
    user_id,
    platform: marketplace.slug,
    sent_at: sent.toISOString(),
    received_at: received_at.toISOString(),
  }
  const isFetched = OAuthSlug.safeParse(marketplace.slug)
  if (hint.kind === 'cancellation') return { ...shown, ...(await freeItems(services, mail, hint)) }
  if (hint.kind !== 'sale') return { ...shown, outcome: 'ignored' }
  if (isFetched.success) {
    const known = await requestOrder(services, { user_id, platform: isFetched.data, external_order_id: hint.order_id })
    return { ...shown, outcome: known ? 'fetched' : 'unmatched' }
  }
  return { ...shown, ...(await holdItems(services, mail, hint)) }
}

/** Returns what the row of a mail tells of its words. */
function shownOf(hint: Hint): Partial<Decision> {
  if (hint.kind === 'other') return { kind: 'other' }
  if (hint.kind === 'unclear') return { kind: hint.of }
  if (hint.kind === 'cancellation') return hint
  const { kind, order_id, title, price_minor, currency, lines } = hint
  return { kind, order_id, title, price_minor, currency, listing_id: lines[0]?.listing_id ?? null }
}

/** Returns what two mails about one sale have in common. */
const keyOf = ({ marketplace, kind, order_id, listing_id, title, price_minor }: Partial<Decision>) => ({
  marketplace: marketplace ?? null,
  kind: kind ?? null,
  order_id: order_id ?? null,
  listing_id: listing_id ?? null,
  title: title ?? null,
  price_minor: price_minor ?? null,
})

async function holdItems(
  services: Services,
  mail: BelievedMail,
  { lines }: Extract<Hint, { kind: 'sale' }>,
): Promise<Decision> {
  const held: HeldLine[] = []
  for (const line of lines) held.push(await holdLine(services, mail, line))
  const sure = held.filter(({ outcome }) => outcome === 'held')
  if (sure.length === 0) {
    const [first, ...parts] = held
    if (!first) return { outcome: 'unmatched' }
    const { outcome, item_uids } = first
    return { outcome, item_uids, parts: parts.filter((part) => part.outcome !== 'ignored') }
  }
  return {
    outcome: 'held',
    item_uids: sure.flatMap(({ item_uids }) => item_uids),
    listing_ids: sure.flatMap(({ listing_id }) => (listing_id === null ? [] : [listing_id])),
    parts: held.filter(({ outcome }) => outcome === 'ambiguous' || outcome === 'unmatched'),
  }
}

async function freeItems(
  services: Services,
  mail: BelievedMail,
  { order_id, title }: Extract<Hint, { kind: 'cancellation' }>,
): Promise<Decision> {
  const { user_id, platform } = mail
  const held = await services.db.any(sql.findHeld({ user_id, marketplace: platform, order_id, title }))
  const freed: typeof held = []
  for (const listing of held) if (await freeListing(services, mail, listing)) freed.push(listing)
  const outcome = held.length === 0 ? 'unmatched' : freed.length === 0 ? 'ignored' : 'freed'
  return { outcome, item_uids: freed.map(({ item_uid }) => item_uid) }
}

/** Writes the decision with the rows of unnamed lines, and asks the seller about them, all at once. */
async function write(services: Services, { user_id, uid }: SaleMailJob, decision: Decision): Promise<void> {
  const { parts = [], confirmation, sent_at, ...shown } = decision
  await transaction(services.db, 'decide-mail', async (tx) => {
    const written = await tx.oneOrNone(
      sql.decideMail({
        ...{ reason: null, ...keyOf(shown), currency: null, item_uids: [], listing_ids: [] },
        ...shown,
        ...{ user_id, uid, kind: shown.kind ?? 'other', sent_at: sent_at?.toISOString() ?? null },
        confirmation: confirmation ? JSON.stringify(confirmation) : null,
      }),
    )
    if (!written) return
    const ask = { user_id, platform: shown.marketplace ?? null }
    const isBundle = parts.length > 0
    if (decision.outcome === 'ambiguous' || (isBundle && decision.outcome === 'unmatched')) {
      await askSeller(tx, { ...ask, uid, title: shown.title ?? null, item_uids: decision.item_uids ?? [] })
    }
    for (const { line, outcome, item_uids } of parts) {
      const part_uid = newOrderedId('mal')
      const { title, price_minor, currency } = line
      await tx.none(sql.insertPart({ user_id, uid, part_uid, outcome, title, price_minor, currency, item_uids }))
      await askSeller(tx, { ...ask, uid: part_uid, title, item_uids })
    }
  })
}
