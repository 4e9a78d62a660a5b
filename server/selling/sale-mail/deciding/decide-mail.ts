import { decrypt } from '#server/infra/crypto/encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { createResolveTexts } from '#server/infra/name-server.ts'
import { requestOrder } from '#server/selling/orders/request-order.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
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

/** Decides by what earlier mails did, and holds or frees items, in the transaction that writes the decision. */
type Act = (tx: Queries) => Promise<Decision>

/** A mail waits for name servers this long. */
const longestWaitSeconds = 3_600
/** The first pause of a mail whose name server is silent. Each try doubles it, up to the longest. */
const [firstPauseSeconds, longestPauseSeconds] = [5, 300]

/**
 * Decides a stored mail: reads it, checks who wrote it, and holds or frees items, or orders that an order is fetched.
 * Safe to repeat: items change in the transaction that writes the decision, which is written once.
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
): Promise<Decision | Act | 'unreachable'> {
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
  const facts = { mail, verified, proved, received_at, ...sender }
  return (tx) => judge(services, tx, job, facts)
}

interface Facts extends Extract<ReturnType<typeof senderOf>, { hint: Hint }> {
  mail: ParsedMail
  verified: Verified
  proved: ReadonlySet<string>
  received_at: Date
}

async function judge(
  { config }: Services,
  tx: Queries,
  { user_id, uid }: SaleMailJob,
  facts: Facts,
): Promise<Decision> {
  const { hint, marketplace, received_at } = facts
  const sent = sentAt(facts.verified, received_at)
  const shown: Partial<Decision> = { marketplace: marketplace.slug, sent_at: sent, ...shownOf(hint) }
  const named = hint.kind === 'sale' || hint.kind === 'cancellation'
  const earlier = named
    ? await tx.any(sql.findEarlier({ user_id, uid, received_at: received_at.toISOString(), ...keyOf(shown) }))
    : []
  const verdict = judgeMail(facts.mail, facts, { ...facts, earlier })
  if (verdict !== null && verdict !== 'ignored') return refused(verdict, shown)
  if (verdict === 'ignored' || !named) return { ...shown, outcome: 'ignored' }
  const mail = {
    user_id,
    platform: marketplace.slug,
    sent_at: sent.toISOString(),
    received_at: received_at.toISOString(),
  }
  if (hint.kind === 'cancellation') return { ...shown, ...(await freeItems(tx, mail, hint)) }
  const isFetched = OAuthSlug.safeParse(marketplace.slug)
  if (isFetched.success) {
    const order = { user_id, platform: isFetched.data, external_order_id: hint.order_id }
    return { ...shown, outcome: (await requestOrder(tx, config, order)) ? 'fetched' : 'unmatched' }
  }
  return { ...shown, ...(await holdItems(tx, mail, hint)) }
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
  tx: Queries,
  mail: BelievedMail,
  { lines }: Extract<Hint, { kind: 'sale' }>,
): Promise<Decision> {
  const held: HeldLine[] = []
  for (const line of lines) held.push(await holdLine(tx, mail, line))
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
  tx: Queries,
  mail: BelievedMail,
  { order_id, title }: Extract<Hint, { kind: 'cancellation' }>,
): Promise<Decision> {
  const { user_id, platform } = mail
  const held = await tx.any(sql.findHeld({ user_id, marketplace: platform, order_id, title }))
  const freed: typeof held = []
  for (const listing of held) if (await freeListing(tx, mail, listing)) freed.push(listing)
  const outcome = held.length === 0 ? 'unmatched' : freed.length === 0 ? 'ignored' : 'freed'
  return { outcome, item_uids: freed.map(({ item_uid }) => item_uid) }
}

/** Writes the decision with what it does to items, the rows of unnamed lines and the seller's questions, all at once. */
async function write(services: Services, { user_id, uid }: SaleMailJob, decided: Decision | Act): Promise<void> {
  const work = async (tx: Queries) => {
    // Mails of a seller take turns: a cancellation finds its sale, and a second worker finds nothing to decide.
    await tx.any(sql.lockMails({ user_id }))
    if (!(await tx.oneOrNone(sql.findWaiting({ user_id, uid })))) return
    const decision = typeof decided === 'function' ? await decided(tx) : decided
    const { parts = [], confirmation, sent_at, ...shown } = decision
    await tx.none(
      sql.decideMail({
        ...{ reason: null, ...keyOf(shown), currency: null, item_uids: [], listing_ids: [] },
        ...shown,
        ...{ user_id, uid, kind: shown.kind ?? 'other', sent_at: sent_at?.toISOString() ?? null },
        confirmation: confirmation ? JSON.stringify(confirmation) : null,
      }),
    )
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
  }
  await transaction(services.db, 'decide-mail', work, saleContention)
}
