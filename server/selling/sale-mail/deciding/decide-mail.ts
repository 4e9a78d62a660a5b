import { createHash } from 'node:crypto'
import { decryptBytes } from '#server/infra/crypto/encrypt.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { areOrdersRead, requestOrder } from '#server/selling/orders/request-order.ts'
import { type Asked, askWhichItem, type Candidate } from '#server/selling/sales/ask-which-item.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import type { Services } from '#server/services.ts'
import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import { newOrderedId } from '#shared/identity.ts'
import { OAuthSlug, PlatformSlug } from '#shared/platforms.ts'
import { mailPlace, saleMailKey } from '../encryption.ts'
import { rememberSender } from '../known-senders.ts'
import * as sql from '../queries.ts'
import { type Hint, type HintLine, hintLine } from '../reading/hint.ts'
import { unclear } from '../reading/marketplaces.ts'
import { maxReadBytes, type ParsedMail } from '../reading/parse-mail.ts'
import { bareSubject } from '../reading/sentences.ts'
import { queueMail, type SaleMailJob } from '../store-mail.ts'
import { type ExaminedMail, examineOnThread } from '../verifying/examine-mail.ts'
import type { Verified } from '../verifying/verify-signature.ts'
import { classifyMail, type EarlierMail, type Reason, senderOf, sentAt } from './classify-mail.ts'
import { freeItems } from './free-items.ts'
import { type BelievedMail, findCandidates, type HeldLine, holdLine, proposeItems } from './hold-lines.ts'

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
  /** Of what a bundle's mail names. */
  lines_hash?: string | null
  item_uids?: string[]
  listing_ids?: string[]
  confirmation?: SaleMailMessage['confirmation']
  sent_at?: Date
  /** Further lines of a bundle that nobody could name. */
  parts?: HeldLine[]
  /** Asks the seller about the mail itself. */
  asks?: { about: Asked; candidates: readonly Candidate[] }
  /** How a bundle tells of items that it does not name. */
  unnamed?: Asked
}

/** Decides by what earlier mails did, and holds or frees items, in the transaction that writes the decision. */
type Act = (tx: Transaction) => Promise<Decision>

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
  const raw = decryptBytes(stored.encrypted_mail, mailPlace(job.user_id, job.uid), saleMailKey(config))
  const isReadable = stored.size <= maxReadBytes
  const examined = isReadable ? await examineOnThread({ raw, at: received_at, dns: config.SALE_MAIL_DNS }) : null
  const decision =
    examined === 'late' ? 'late' : examined ? await decide(services, job, examined, received_at) : refused('malformed')
  const isUndecided = decision === 'late' || decision === 'unreachable'
  if (isUndecided) {
    const seconds = (services.now().getTime() - received_at.getTime()) / 1_000
    const reason = decision === 'late' ? 'reading takes too long' : 'no name server answers for the signature'
    log.warn({ uid: job.uid }, `a sale mail is not decided: ${reason}`)
    if (seconds < longestWaitSeconds) {
      const pause = Math.min(longestPauseSeconds, Math.max(firstPauseSeconds, seconds))
      return queueMail(services.jobs, db, job, { startAfterSeconds: Math.ceil(pause) })
    }
  }
  await write(services, job, isUndecided ? refused(decision === 'late' ? 'malformed' : 'signature') : decision)
}

const refused = (reason: Reason, more: Partial<Decision> = {}): Decision => ({ ...more, outcome: 'refused', reason })

async function decide(
  services: Services,
  job: SaleMailJob,
  { mail, verified }: ExaminedMail,
  received_at: Date,
): Promise<Decision | Act | 'unreachable'> {
  const { user_id } = job
  const proved = new Set((await services.db.any(sql.listProvedAddresses({ user_id }))).map(({ email }) => email))
  const sender = senderOf(mail, proved)
  if (!('gmail' in sender) && !sender.marketplace) return refused(sender.reason)
  if (!verified || verified.outcome === 'unreachable') return 'unreachable'
  if ('gmail' in sender) {
    const signed = verified.outcome === 'valid' ? senderOf(verified.mail, proved) : sender
    const isSigned = verified.outcome === 'valid' && 'gmail' in signed
    return isSigned ? { outcome: 'ignored', confirmation: signed.gmail } : refused('signature')
  }
  const words = verified.outcome === 'valid' ? verified.mail : mail
  const facts = { verified, proved, received_at, ...sender, mail: words, hint: sender.marketplace.read(words) }
  return (tx) => decideInTurn(services, tx, job, facts)
}

interface Facts extends Extract<ReturnType<typeof senderOf>, { hint: Hint }> {
  mail: ParsedMail
  verified: Verified
  proved: ReadonlySet<string>
  received_at: Date
}

async function decideInTurn(
  { config, jobs }: Services,
  tx: Transaction,
  job: SaleMailJob,
  given: Facts,
): Promise<Decision> {
  const { user_id, uid } = job
  const { marketplace, received_at } = given
  const api = OAuthSlug.safeParse(marketplace.slug)
  const isRead = api.success && (await areOrdersRead(tx, { user_id, platform: api.data }))
  const facts = { ...given, hint: isRead ? given.hint : withoutOrders(given) }
  const { hint } = facts
  const sent = sentAt(facts.verified, received_at)
  const shown: Partial<Decision> = { marketplace: marketplace.slug, sent_at: sent, ...shownOf(hint) }
  const named = hint.kind === 'sale' || hint.kind === 'cancellation'
  const key = { user_id, uid, received_at: received_at.toISOString(), currency: shown.currency ?? null }
  const earlier = named ? await tx.any(sql.findEarlier({ ...key, ...keyOf(shown) })) : []
  const found = classifyMail(facts.mail, facts, { ...facts, earlier })
  const verdict = found === 'replayed' ? await weighCopy(tx, user_id, facts, earlier) : found
  const connected = PlatformSlug.safeParse(marketplace.slug)
  if (!connected.success) return { ...shown, ...(await askAboutUnconnected(tx, user_id, facts, verdict)) }
  if (verdict === 'form')
    return refused(verdict, { ...shown, ...(isRead ? {} : await askAboutForm(tx, user_id, facts)) })
  // The marketplace signed it. Another of its addresses may tell of a sale, but holds nothing.
  if (verdict === 'sender' && !isRead && named) {
    const asking = { ...facts, hint: { kind: 'unclear', of: hint.kind, title: hint.title } as const }
    return refused(verdict, { ...shown, ...(await askAboutForm(tx, user_id, asking)) })
  }
  if (verdict !== null && verdict !== 'ignored' && verdict !== 'differs') return refused(verdict, shown)
  if (verdict === 'ignored' || !named) return { ...shown, outcome: 'ignored' }
  const mail = {
    user_id,
    platform: connected.data,
    sent_at: sent.toISOString(),
    received_at: received_at.toISOString(),
  }
  if (hint.kind === 'cancellation') {
    const { order_id, title } = hint
    // Before the cancellation was known, a later sale looked like a copy of the one that it ended.
    const later =
      order_id === null ? await tx.any(sql.reopenCopies({ ...mail, marketplace: mail.platform, title })) : []
    for (const copy of later) await queueMail(jobs, tx, { user_id, uid: copy.uid })
    return { ...shown, ...(await freeItems(tx, mail, hint)) }
  }
  if (isRead) {
    await requestOrder(tx, config, { user_id, platform: api.data, external_order_id: hint.order_id })
    return { ...shown, outcome: 'fetched' }
  }
  const known = verdict === null ? null : new Set(earlier.flatMap(({ item_uids }) => item_uids))
  return { ...shown, ...(await holdItems(tx, { ...mail, order_id: hint.order_id }, hint, known)) }
}

/** Returns a mail's hint where no order can be read: without one, a mail that only names an order is not understood. */
function withoutOrders({ hint, marketplace, mail }: Facts): Hint {
  const isOfOrders = OAuthSlug.safeParse(marketplace.slug).success
  return isOfOrders && hint.kind === 'sale' && hint.title === null ? unclear(bareSubject(mail.subject)) : hint
}

/**
 * Decides about a sale that looks like a copy of an earlier one. It is one with the time of the first. Written later, it may be
 * that of another item: it counts where several listings fit, and asks (`differs`) where more items fit than earlier mails
 * told of.
 */
async function weighCopy(
  tx: Transaction,
  user_id: number,
  { hint, verified, marketplace }: Facts,
  earlier: readonly (EarlierMail & { item_uids: string[] })[],
): Promise<'replayed' | 'differs' | null> {
  const signed_at = verified.outcome === 'valid' ? verified.signed_at : null
  const last = earlier.findLast(({ kind }) => kind === 'sale')
  if (hint.kind !== 'sale' || hint.order_id !== null || !signed_at || !last) return 'replayed'
  const [line] = hint.lines
  if (!line || signed_at <= new Date(last.sent_at)) return 'replayed'
  const isConnected = PlatformSlug.safeParse(marketplace.slug).success
  const found = await findCandidates(tx, { user_id, platform: marketplace.slug }, line)
  const fitting = found.filter(({ differs, agrees }) => (isConnected ? differs.length === 0 : agrees.length > 0))
  if (isConnected && fitting.length > 1) return null
  const uids = fitting.map(({ inventory_item_uid }) => inventory_item_uid)
  const items = await tx.any(sql.listItems({ user_id, uids }))
  const told = new Set(earlier.flatMap(({ item_uids }) => item_uids))
  const open = items.filter((item) => item.state === 'available' && !told.has(item.inventory_item_uid))
  const unanswered = earlier.filter(({ kind, item_uids }) => kind === 'sale' && item_uids.length === 0)
  return open.length > unanswered.length ? 'differs' : 'replayed'
}

/** Returns what the row of a mail tells of its words. */
function shownOf(hint: Hint): Partial<Decision> {
  if (hint.kind === 'other') return { kind: 'other' }
  if (hint.kind === 'unclear') return { kind: hint.of, title: hint.title }
  if (hint.kind === 'cancellation') return hint
  const { kind, order_id, title, price_minor, currency, lines } = hint
  const lines_hash = lines.length > 1 ? hashOf(lines) : null
  return { kind, order_id, title, price_minor, currency, listing_id: lines[0]?.listing_id ?? null, lines_hash }
}

/** Returns what two mails that name the same things have in common, in whichever order they name them. */
function hashOf(lines: readonly HintLine[]): string {
  const named = lines.map(({ listing_id, sku, title, size }) => JSON.stringify([listing_id, sku, title, size]))
  return createHash('sha256').update(named.toSorted().join('\n').toLowerCase()).digest('base64url')
}

/** Returns what two mails about one sale have in common. */
const keyOf = ({ marketplace, kind, order_id, listing_id, lines_hash, title, price_minor }: Partial<Decision>) => ({
  marketplace: marketplace ?? null,
  kind: kind ?? null,
  order_id: order_id ?? null,
  listing_id: listing_id ?? null,
  lines_hash: lines_hash ?? null,
  title: title ?? null,
  price_minor: price_minor ?? null,
})

/** Asks about a mail whose form is not known, and only proposes items. */
async function askAboutForm(
  tx: Transaction,
  user_id: number,
  { hint, marketplace }: Facts,
): Promise<Partial<Decision>> {
  if (hint.kind !== 'unclear') return {}
  if (hint.of === 'cancellation') return { asks: { about: 'unread_cancellation', candidates: [] } }
  const candidates = await findCandidates(tx, { user_id, platform: marketplace.slug }, hintLine({ title: hint.title }))
  return { asks: { about: 'unread_sale', candidates } }
}

/**
 * Asks about a sale on a marketplace that Hapax does not connect, where it names something like an item, or nothing. Sellers
 * sell other things there, too.
 */
async function askAboutUnconnected(
  tx: Transaction,
  user_id: number,
  { hint, marketplace }: Facts,
  verdict: ReturnType<typeof classifyMail>,
): Promise<Decision> {
  if (verdict === 'replayed') return refused(verdict)
  const isBelieved = verdict === null || verdict === 'form' || verdict === 'differs'
  const isSale = hint.kind === 'sale' || (hint.kind === 'unclear' && hint.of === 'sale' && hint.title !== null)
  if (!isBelieved || !isSale) return refused('not_connected')
  const line = hint.kind === 'sale' ? hint.lines[0]! : hintLine({ title: hint.title })
  if (line.title === null) return { outcome: 'unmatched', asks: { about: 'unread_sale', candidates: [] } }
  const candidates = await findCandidates(tx, { user_id, platform: marketplace.slug }, line)
  if (candidates.length === 0) return refused('not_connected')
  const item_uids = candidates.map(({ inventory_item_uid }) => inventory_item_uid)
  return { outcome: 'ambiguous', item_uids, asks: { about: 'item', candidates } }
}

/**
 * Holds the items of a sale. `known`: the items that mails hold which told of the same sale otherwise. Then it holds none,
 * and asks about what they did not name.
 */
async function holdItems(
  tx: Transaction,
  mail: BelievedMail,
  { lines, isOpenEnded }: Extract<Hint, { kind: 'sale' }>,
  known: ReadonlySet<string> | null,
): Promise<Decision> {
  let held: HeldLine[] = []
  for (const line of lines) held.push(known ? await proposeItems(tx, mail, line) : await holdLine(tx, mail, line, held))
  const isNew = ({ item_uids: [item, ...more] }: HeldLine) => item === undefined || more.length > 0 || !known?.has(item)
  if (held.some(isNew)) held = held.filter(isNew)
  const sure = held.filter(({ outcome }) => outcome === 'held')
  const open = held.filter(({ outcome }) => outcome === 'ambiguous' || outcome === 'unmatched')
  const unnamed = isOpenEnded ? 'at_least' : 'counted'
  const [first, ...parts] = open
  if (sure.length > 0 || !first) {
    return {
      outcome: sure.length > 0 ? 'held' : 'ignored',
      item_uids: (sure.length > 0 ? sure : held).flatMap(({ item_uids }) => item_uids),
      listing_ids: sure.flatMap(({ listing_id }) => (listing_id === null ? [] : [listing_id])),
      ...{ parts: open, unnamed },
    }
  }
  const { outcome, item_uids, line, candidates = [] } = first
  const about = line.title === null && lines.length > 1 ? unnamed : 'item'
  return { outcome, item_uids, parts, unnamed, asks: { about, candidates } }
}

/** Writes the decision with what it does to items, the rows of unnamed lines and the seller's questions, all at once. */
async function write(
  services: Services,
  { user_id, uid, network }: SaleMailJob,
  decided: Decision | Act,
): Promise<void> {
  const work = async (tx: Transaction) => {
    // Mails of a seller take turns: a cancellation finds its sale, and a second worker finds nothing to decide.
    await tx.any(sql.lockMails({ user_id }))
    if (!(await tx.oneOrNone(sql.findWaiting({ user_id, uid })))) return
    const decision = typeof decided === 'function' ? await decided(tx) : decided
    const { parts = [], confirmation, sent_at, asks, unnamed = 'counted', ...shown } = decision
    await tx.none(
      sql.decideMail({
        ...{ reason: null, ...keyOf(shown), currency: null, item_uids: [], listing_ids: [] },
        ...shown,
        ...{ user_id, uid, kind: shown.kind ?? 'other', sent_at: sent_at?.toISOString() ?? null },
        confirmation: confirmation ? JSON.stringify(confirmation) : null,
      }),
    )
    if (network && decision.outcome !== 'refused' && decision.outcome !== 'ignored') await rememberSender(tx, network)
    const { title = null, price_minor = null, currency = null, marketplace: platform = null } = shown
    const ask = (reference: string, line: Pick<HintLine, 'title' | 'price_minor' | 'currency'>, asked: typeof asks) =>
      asked &&
      askWhichItem(tx, { user_id, platform, reference, sold: line, ...asked, data: { sale_mail_uid: reference } })
    await ask(uid, { title, price_minor, currency }, asks)
    for (const { line, outcome, item_uids, candidates = [] } of parts) {
      const part_uid = newOrderedId('mal')
      const { title: named, ...price } = line
      const sold = { title: named, price_minor: price.price_minor, currency: price.currency }
      await tx.none(sql.insertPart({ user_id, uid, part_uid, outcome, ...sold, item_uids }))
      await ask(part_uid, named === null ? { ...sold, title } : sold, {
        ...{ about: named === null ? unnamed : 'item', candidates },
      })
    }
  }
  await transaction(services.db, 'decide-mail', work, saleContention)
}
