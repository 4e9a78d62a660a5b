import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { classifyMail, type EarlierMail } from '#server/selling/sale-mail/deciding/classify-mail.ts'
import { type Hint, hintLine, saleOf } from '#server/selling/sale-mail/reading/hint.ts'
import { marketplaceOf } from '#server/selling/sale-mail/reading/marketplaces.ts'
import type { LineStatus } from '#server/selling/sales/decide-sale.ts'
import { Ledger } from './ledger.ts'
import { VirtualTime } from './virtual-time.ts'

/** The witnesses of a sale where there is no API for orders. */
export const witnesses = ['page', 'mail', 'comparison'] as const
type Witness = (typeof witnesses)[number]

/** Rules that can be broken on purpose, to show that a violation is found. */
export const witnessMutants = [
  'frees-by-old-pages',
  'never-frees',
  'ignores-mail',
  'holds-without-taking-down',
  'refuses-later-sales',
] as const
type WitnessMutant = (typeof witnessMutants)[number]

interface WitnessResult {
  dead: Witness
  violations: string[]
  purchases: number
  doublePurchases: number
  falseHolds: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const [activeMs, calmMs] = [48 * hourMs, 8 * hourMs]
/** An API listing is down within this time of the sale's record. */
const reactionMs = 10_000
/** A mail that arrived is decided within this time. */
const decidedWithinMs = 30_000

const senders = ['orders@poshmark.com', 'no-reply@alerts.us.mercari.com', 'sold@alerts.depop.com']
/** Places with pages and mails (0 to 2: Poshmark, Mercari, Depop), and with APIs. */
const pagePlaces = [0, 1, 2]
const apiPlaces = [3, 4]

interface Listing {
  id: string
  item: string
  place: number
  isLive: boolean
}

interface Purchase {
  order: string
  listing: Listing
  atMs: number
  cancelledMs: number | null
  /** When a living witness first brought it to us, and when it was recorded. */
  toldMs: number | null
  seenMs: number | null
  /** Its mail was taken for a copy of an earlier one: only readings tell it apart. */
  isRefused: boolean
  /** It was made before any page showed that the sale before it was canceled: its page has not changed. */
  isUnchanged: boolean
}

interface SentMail {
  listing: Listing
  hint: Extract<Hint, { order_id: string | null }>
  sentMs: number
  purchase: Purchase | null
}

interface DecidedMail extends SentMail {
  isBelieved: boolean
  receivedMs: number
}

/**
 * Simulates two days of one seller with three marketplaces that have pages and mails only, and two with an API. Mails
 * come late, twice, wrong or not at all; readings are late; purchases are canceled; the seller relists what is freed.
 * One of the witnesses is dead for a day. The decisions are the product's own (planLine, classifyMail).
 */
export function simulateWitnesses(seed: number, mutant: WitnessMutant | null = null): WitnessResult {
  const random = randomFrom(seed)
  const time = new VirtualTime()
  const ledger = new Ledger()
  const chance = (probability: number) => random() < probability
  const between = (low: number, high: number) => low + random() * (high - low)
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!
  const dead = witnesses[seed % witnesses.length]!
  const deadFromMs = between(0, activeMs - 24 * hourMs)
  const isDead = (witness: Witness) =>
    witness === dead && time.nowMs >= deadFromMs && time.nowMs < deadFromMs + 24 * hourMs
  const isCalm = () => time.nowMs >= activeMs
  const violations: string[] = []
  const listings: Listing[] = []
  const purchases: Purchase[] = []
  const decided: DecidedMail[] = []
  const modified = new Map<string, number>()
  let [number, doublePurchases, falseHolds, operations] = [0, 0, 0, 0]

  const keyOf = ({ id }: Listing) => `listing-${id}`
  const standing = (listing: Listing) => purchases.find((one) => one.listing === listing && one.cancelledMs === null)
  const iso = (ms: number) => new Date(ms).toISOString()

  function put(item: string, place: number): void {
    const listing = { id: `L${++number}`, item, place, isLive: true }
    listings.push(listing)
    ledger.channel.set(listing.id, { item, platform: place, state: 'available' })
    scheduleBuyer(listing)
  }

  function scheduleBuyer(listing: Listing): void {
    time.after(-Math.log(1 - random()) * 20 * hourMs, () => {
      if (isCalm() || !listing.isLive) return
      buy(listing)
    })
  }

  function buy(listing: Listing): void {
    const { item, place } = listing
    for (const first of purchases) {
      if (first.listing.item !== item || first.cancelledMs !== null) continue
      doublePurchases++
      const isLate = first.seenMs !== null && time.nowMs - first.seenMs > reactionMs && !first.isRefused
      if (isLate && apiPlaces.includes(place)) {
        violations.push(`${item} was bought by API ${time.nowMs - first.seenMs!} ms after ${first.order} was known`)
      }
    }
    listing.isLive = false
    const order = (++number).toString(16).padStart(24, '0')
    const isUnchanged =
      ledger.channel.get(listing.id)!.state === 'sold' && ledger.lines.get(keyOf(listing))?.state === 'cancelled'
    const purchase: Purchase = {
      ...{
        order,
        listing,
        atMs: time.nowMs,
        cancelledMs: null,
        toldMs: null,
        seenMs: null,
        isRefused: false,
        isUnchanged,
      },
    }
    purchases.push(purchase)
    if (apiPlaces.includes(place)) {
      time.after(between(2_000, minuteMs), () => record(order, listing, 'paid', purchase.atMs))
      return
    }
    sendMail({ listing, purchase, sentMs: time.nowMs, hint: saleHint(listing, order) })
    if (!chance(0.2)) return
    time.after(between(minuteMs, 6 * hourMs), () => {
      if (isCalm()) return
      purchase.cancelledMs = time.nowMs
      listing.isLive = true
      scheduleBuyer(listing)
      // Depop sends none.
      const hint = { kind: 'cancellation', order_id: place === 0 ? order : null, title: listing.item } as const
      if (place !== 2) sendMail({ listing, purchase: null, sentMs: time.nowMs, hint })
    })
  }

  function saleHint({ id, item, place }: Listing, order: string): SentMail['hint'] {
    const line = hintLine({ listing_id: place === 1 ? id : null, title: item, price_minor: 1_000, currency: 'USD' })
    return saleOf(place === 0 ? order : null, line) as SentMail['hint']
  }

  /** Sends a mail: late, twice, or never while mails are dead. */
  function sendMail(mail: SentMail): void {
    if (isDead('mail')) return
    for (let copies = chance(0.1) ? 2 : 1; copies > 0; copies--) {
      const arrivesMs = chance(0.03) ? between(minuteMs, 5 * hourMs) : between(2_000, 2 * minuteMs)
      time.after(arrivesMs, () => {
        if (mail.purchase) mail.purchase.toldMs ??= time.nowMs
        const received = time.nowMs
        time.after(between(500, decidedWithinMs / 2), () => decide(mail, received))
      })
    }
  }

  function decide(mail: SentMail, received: number): void {
    if (mutant === 'ignores-mail') return
    const { listing, hint, sentMs } = mail
    const isSame = (other: DecidedMail) =>
      other.isBelieved &&
      other.listing.place === listing.place &&
      (hint.order_id === null ? other.listing === listing : other.hint.order_id === hint.order_id)
    const earlier: EarlierMail[] = decided
      .filter(isSame)
      .map((other) => ({ kind: other.hint.kind, sent_at: iso(other.sentMs), is_same: true }))
    const line = ledger.lines.get(keyOf(listing))
    if (line?.state === 'cancelled' && mutant !== 'refuses-later-sales')
      earlier.push({ kind: 'freed', sent_at: line.modified_at, is_same: true })
    earlier.sort((one, other) => (one.sent_at < other.sent_at ? -1 : 1))
    const [address, date, to] = [senders[listing.place]!, new Date(sentMs), 'seller@example.com']
    const parsed = {
      subject: '',
      bodies: [],
      from: [address],
      to: [to],
      date,
      counts: { from: 1, to: 1, subject: 1, date: 1 },
    }
    const known = {
      verified: { outcome: 'valid', signed_at: date, mail: parsed } as const,
      proved: new Set([to]),
      received_at: new Date(received),
      earlier,
    }
    const verdict = classifyMail(parsed, { marketplace: marketplaceOf(address)!, hint }, known)
    const isBelieved = verdict === null || verdict === 'ignored'
    decided.push({ ...mail, isBelieved, receivedMs: received })
    if (isBelieved && mail.purchase) mail.purchase.isRefused = false
    if (isBelieved && hint.kind === 'cancellation' && hint.order_id === null) reopenCopies(mail)
    if (verdict !== null) {
      if (mail.purchase && !decided.some((one) => one.purchase === mail.purchase && one.isBelieved))
        mail.purchase.isRefused = true
      see(listing)
      return
    }
    if (hint.kind === 'sale') record(keyOf(listing), listing, 'pending', sentMs)
    else if (ledger.lines.has(keyOf(listing))) record(keyOf(listing), listing, 'cancelled', sentMs)
  }

  /** Has sales decided again that were taken for copies, and were written after a cancellation. */
  function reopenCopies({ listing, sentMs }: SentMail): void {
    const isCopy = (one: DecidedMail) =>
      one.listing === listing && one.hint.kind === 'sale' && !one.isBelieved && one.sentMs > sentMs
    for (const copy of decided.filter(isCopy)) {
      decided.splice(decided.indexOf(copy), 1)
      time.after(between(500, decidedWithinMs / 2), () => decide(copy, copy.receivedMs))
    }
  }

  function record(key: string, listing: Listing, status: LineStatus, atMs: number): void {
    const now = { status, quantity: 1, modified_at: iso(atMs) }
    ledger.record({ key, platform: listing.place, listing: listing.id, now }, time.nowMs, time.nowMs)
    const line = ledger.lines.get(key)
    if (line?.modified_at === now.modified_at) modified.set(key, Math.max(atMs, modified.get(key) ?? 0))
    see(listing, key)
    takeDown()
  }

  /** Notes when the purchase that stands was first known. */
  function see(listing: Listing, key = keyOf(listing)): void {
    const purchase = apiPlaces.includes(listing.place)
      ? purchases.find(({ order }) => order === key)
      : standing(listing)
    const state = ledger.lines.get(key)?.state
    if (purchase && (state === 'sold' || state === 'held' || state === 'oversell')) purchase.seenMs ??= time.nowMs
  }

  /** Carries out what the record ordered: by API within seconds, elsewhere when the seller gets to it. */
  function takeDown(): void {
    for (; operations < ledger.operations.length; operations++) {
      const operation = ledger.operations[operations]!
      const listing = listings.find(({ id }) => id === operation.listing)!
      if (mutant === 'holds-without-taking-down') continue
      const isByApi = apiPlaces.includes(listing.place)
      time.after(isByApi ? between(1_000, reactionMs - 1_000) : between(10 * minuteMs, 12 * hourMs), () => {
        operation.state = 'done'
        // The task of a freed item is dismissed.
        if (!isByApi && ledger.items.get(listing.item) === 'available') return
        if (!standing(listing)) listing.isLive = false
        ledger.channel.get(listing.id)!.state = 'removed'
      })
    }
  }

  /** Reads the page of a marketplace now; what it shows arrives later. */
  function read(place: number, witness: Witness): void {
    if (isDead(witness)) return
    const sinceMs = time.nowMs
    const shown = listings
      .filter((listing) => listing.place === place)
      .map((listing) => ({ listing, isLive: listing.isLive, bought: standing(listing) }))
    const isOffline = !isCalm() && chance(0.05)
    time.after(isOffline ? between(minuteMs, 3 * hourMs) : between(5_000, minuteMs), () => {
      for (const { listing, isLive, bought } of shown) {
        if (isLive) showLive(listing, sinceMs)
        else if (bought) showSold(listing, bought)
      }
    })
  }

  function showSold(listing: Listing, bought: Purchase): void {
    if (!bought.isUnchanged) bought.toldMs ??= time.nowMs
    see(listing)
    const line = ledger.lines.get(keyOf(listing))
    const row = ledger.channel.get(listing.id)!
    const holder = [...ledger.lines.values()].find((one) => one.item === listing.item && one.state === 'sold')
    const isNews =
      ledger.items.get(listing.item) !== 'sold' || (holder !== undefined && holder.platform !== listing.place)
    // A sale that was taken back is no news until the page has changed.
    if (!isNews || (row.state === 'sold' && line?.state === 'cancelled')) return
    record(keyOf(listing), listing, 'paid', time.nowMs)
  }

  function showLive(listing: Listing, sinceMs: number): void {
    const line = ledger.lines.get(keyOf(listing))
    if (!line || (line.state !== 'held' && line.state !== 'sold') || mutant === 'never-frees') return
    const knownMs = Math.max(line.recordedMs, modified.get(line.key) ?? 0)
    if (knownMs >= sinceMs && mutant !== 'frees-by-old-pages') return
    const bought = standing(listing)
    if (bought && bought.atMs < sinceMs)
      violations.push(`a page shows ${listing.id} on offer, and ${bought.order} stands`)
    // A purchase after the reading whose own mail was believed.
    if (
      bought?.seenMs != null &&
      !bought.isRefused &&
      decided.some((one) => one.purchase === bought && one.isBelieved)
    ) {
      violations.push(`${listing.item} was freed by a page that was read before ${bought.order} was known`)
    }
    ledger.channel.get(listing.id)!.state = 'available'
    record(line.key, listing, 'cancelled', sinceMs)
  }

  /** Looks for holds that no purchase stands behind, and that a reading should have ended by now. */
  const falseSinceMs = new Map<string, number>()
  function lookForFalseHolds(): void {
    for (const listing of listings) {
      const line = ledger.lines.get(keyOf(listing))
      const isFalse = (line?.state === 'held' || line?.state === 'sold') && listing.isLive && !standing(listing)
      if (!isFalse) {
        falseSinceMs.delete(listing.id)
        continue
      }
      const sinceMs = falseSinceMs.get(listing.id) ?? time.nowMs
      falseSinceMs.set(listing.id, sinceMs)
      // Two readings of the hour may be late.
      if (dead !== 'comparison' && time.nowMs - sinceMs > 5 * hourMs)
        violations.push(`${listing.id} holds ${listing.item} for no buyer`)
    }
    time.after(10 * minuteMs, lookForFalseHolds)
  }

  for (let item = 0; item < 5; item++) {
    ledger.items.set(`I${item}`, 'available')
    for (const place of [...pagePlaces, ...apiPlaces]) put(`I${item}`, place)
  }
  for (const place of pagePlaces) {
    const compare = () => {
      read(place, 'comparison')
      time.after(hourMs, compare)
    }
    time.after(between(0, hourMs), compare)
    const visit = () => {
      read(place, 'page')
      time.after(between(10 * minuteMs, 8 * hourMs), visit)
    }
    time.after(between(0, 2 * hourMs), visit)
    // Mails about things of the same name that Hapax does not know.
    const mislead = () => {
      const live = listings.filter((listing) => listing.place === place && listing.isLive)
      if (isCalm()) return
      if (live.length > 0) {
        const listing = pick(live)
        falseHolds++
        sendMail({
          listing,
          purchase: null,
          sentMs: time.nowMs,
          hint: saleHint(listing, (++number).toString(16).padStart(24, 'f')),
        })
      }
      time.after(between(4 * hourMs, 20 * hourMs), mislead)
    }
    time.after(between(hourMs, 12 * hourMs), mislead)
  }
  const seller = () => {
    for (const alert of ledger.alerts) {
      if (!alert.isOpen || alert.kind !== 'relist_offer' || !chance(0.3)) continue
      alert.isOpen = false
      if (isCalm() || ledger.items.get(alert.item) !== 'available') continue
      for (const place of apiPlaces) {
        const isUp = listings.some((one) => one.item === alert.item && one.place === place && one.isLive)
        if (!isUp) put(alert.item, place)
      }
    }
    time.after(30 * minuteMs, seller)
  }
  time.after(30 * minuteMs, seller)
  lookForFalseHolds()
  time.runUntil(activeMs + calmMs)

  for (const { order, listing, atMs, cancelledMs, toldMs, seenMs, isUnchanged } of purchases) {
    const untilMs = cancelledMs ?? Number.POSITIVE_INFINITY
    if (apiPlaces.includes(listing.place)) continue
    const seen = seenMs ?? Number.POSITIVE_INFINITY
    if (toldMs !== null && toldMs + decidedWithinMs < untilMs && seen > toldMs + decidedWithinMs) {
      violations.push(`${order} was told, and not seen for more than ${decidedWithinMs} ms`)
    }
    const line = ledger.lines.get(keyOf(listing))
    if (cancelledMs === null && !isUnchanged && (!line || !['sold', 'oversell'].includes(line.state))) {
      violations.push(`${order} of ${atMs} stands, and its line is ${line?.state}`)
    }
  }
  for (const listing of listings) {
    const line = ledger.lines.get(keyOf(listing))
    const isFalse = (line?.state === 'held' || line?.state === 'sold') && listing.isLive && !standing(listing)
    if (isFalse) violations.push(`in the end ${listing.id} holds ${listing.item} for no buyer`)
  }
  violations.push(...ledger.faults)
  return { dead, violations, purchases: purchases.length, doublePurchases, falseHolds }
}
