import type { Settings } from './settings.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A platform's order from a time on. */
export interface OrderVersion {
  atMs: number
  status: 'pending' | 'paid' | 'cancelled'
  /** When the platform begins to show it; later than `atMs` for orders that come late. */
  shownMs: number
  /** A paid order that had been cancelled before: nobody could have taken that down. */
  isRepaid: boolean
  /** When an answer that contained it first reached us. */
  readMs: number | null
}

export interface TrueOrder {
  id: string
  platform: number
  listing: string
  item: string
  versions: OrderVersion[]
}

export interface TrueListing {
  id: string
  item: string
  platform: number
  /** When buyers could no longer buy it; null while they can. */
  downMs: number | null
}

/** A time in which something went wrong around us, that we could do nothing about. */
export interface Fault {
  fromMs: number
  toMs: number
  /** Null: of our own machines. */
  platform: number | null
  what: string
}

export type Hear = (platform: number, order: TrueOrder, sentMs: number) => 'taken' | 'refused' | 'nobody_there'

/** The platform did not answer, or not in time; what was asked may have been done. */
export class CallFailed extends Error {}

/**
 * The platforms as they truly are: what is on offer, who bought what and when, and how badly they tell it. We see it only
 * through `read…` and pushes.
 */
export class World {
  readonly listings = new Map<string, TrueListing>()
  readonly orders = new Map<string, TrueOrder>()
  readonly faults: Fault[] = []
  calm = false
  private nextId = 1
  readonly time: VirtualTime
  readonly settings: Settings
  private readonly random: () => number
  hear: Hear = () => 'nobody_there'
  trace: (line: string) => void = () => {}

  constructor(time: VirtualTime, settings: Settings, random: () => number) {
    this.time = time
    this.settings = settings
    this.random = random
    for (let count = 0; count < settings.outages; count++) {
      const fromMs = random() * settings.activeMs
      this.faults.push({
        fromMs,
        toMs: Math.min(fromMs + random() * 180_000, settings.activeMs),
        platform: Math.floor(random() * settings.platforms),
        what: 'outage',
      })
    }
  }

  chance(probability: number): boolean {
    return probability > 0 && this.random() < probability
  }

  between(low: number, high: number): number {
    return low + this.random() * (high - low)
  }

  put(item: string, platform: number): TrueListing {
    const listing = { id: `L${this.nextId++}`, item, platform, downMs: null }
    this.listings.set(listing.id, listing)
    this.comeBuyers(listing)
    return listing
  }

  /** Somebody buys it when their time has come, if it is still there; perhaps others do at nearly the same moment. */
  private comeBuyers(listing: TrueListing): void {
    const { buyEveryMs } = this.settings
    this.time.after(-Math.log(1 - this.random()) * buyEveryMs, () => {
      if (this.calm || listing.downMs !== null) return
      this.buy(listing)
      if (!this.chance(this.settings.rush)) return
      for (const other of this.listings.values()) {
        if (other.item !== listing.item || other.downMs !== null || !this.chance(0.6)) continue
        this.time.after(this.between(0, 8_000), () => {
          if (other.downMs === null) this.buy(other)
        })
      }
    })
  }

  private buy(listing: TrueListing): void {
    const nowMs = this.time.nowMs
    listing.downMs = nowMs
    const { id, item, platform } = listing
    const order: TrueOrder = { id: `O${this.nextId++}`, platform, listing: id, item, versions: [] }
    this.orders.set(order.id, order)
    this.trace(`buyer buys ${item} on P${platform}: ${order.id} of ${id}`)
    const isPending = this.chance(this.settings.pendings)
    this.change(order, isPending ? 'pending' : 'paid')
    if (isPending) this.time.after(this.between(5_000, 300_000), () => this.changeIf(order, 'pending', 'paid'))
    if (this.chance(this.settings.cancels)) {
      this.time.after(this.between(500, 400_000), () => {
        if (!this.cancel(order)) return
        if (this.chance(this.settings.repays)) {
          this.time.after(this.between(1_000, 200_000), () => this.changeIf(order, 'cancelled', 'paid'))
        }
      })
    }
  }

  /** The order is cancelled, by whomever; false when it was already. */
  cancel(order: TrueOrder): boolean {
    if (statusAt(order, this.time.nowMs) === 'cancelled') return false
    this.change(order, 'cancelled')
    return true
  }

  private changeIf(order: TrueOrder, from: OrderVersion['status'], to: OrderVersion['status']): void {
    if (statusAt(order, this.time.nowMs) === from) this.change(order, to)
  }

  private change(order: TrueOrder, status: OrderVersion['status']): void {
    const nowMs = this.time.nowMs
    const lateMs = this.chance(this.settings.late) ? this.between(0, 23.5 * 3_600_000) : 0
    const before = order.versions.at(-1)
    order.versions.push({
      atMs: nowMs,
      status,
      shownMs: Math.max(nowMs + lateMs, before?.shownMs ?? 0),
      isRepaid: status === 'paid' && before?.status === 'cancelled',
      readMs: null,
    })
    this.trace(`${order.id} is ${status}${lateMs > 0 ? `, shown ${Math.round(lateMs / 1000)} s late` : ''}`)
    if (status !== 'cancelled') this.push(order, lateMs)
  }

  /** Tells us of the order: perhaps never, perhaps twice, perhaps much later. */
  private push(order: TrueOrder, lateMs: number): void {
    const { pushLost, pushRepeated, pushDelayMs } = this.settings
    const times = this.chance(pushLost) ? 0 : 1 + (this.chance(pushRepeated) ? 2 : 0)
    for (let count = 0; count < times; count++) this.deliver(order, lateMs + this.between(0, pushDelayMs), 5)
  }

  private deliver(order: TrueOrder, afterMs: number, triesLeft: number): void {
    const sentMs = this.time.nowMs + afterMs
    this.time.at(sentMs + this.between(20, 500), () => {
      if (this.hear(order.platform, order, sentMs) === 'nobody_there' && triesLeft > 0) {
        this.deliver(order, 10_000, triesLeft - 1)
      }
    })
  }

  /** How long a call takes, one way. */
  latency(): number {
    return this.between(0.2, 1) * this.settings.callMs * 0.5
  }

  /** Whether a call fails now; before or after it was carried out is the caller's to draw. */
  fails(platform: number, what: string): boolean {
    const nowMs = this.time.nowMs
    const isOut = this.faults.some(
      (fault) => fault.platform === platform && fault.what === 'outage' && fault.fromMs <= nowMs && nowMs < fault.toMs,
    )
    if (!isOut && (this.calm || !this.chance(this.settings.callFails))) return false
    if (!isOut) this.faults.push({ fromMs: nowMs, toMs: nowMs, platform, what })
    return true
  }

  private seenAtMs(): number {
    return this.time.nowMs - (this.calm ? 0 : this.between(0, this.settings.lagMs))
  }

  /** The order as an answer shows it, which may be of some time ago. */
  shown(order: TrueOrder): OrderVersion | null {
    const atMs = this.seenAtMs()
    return order.versions.findLast(({ shownMs }) => shownMs <= atMs) ?? null
  }

  /** The time of a version by the platform's own clock. */
  modifiedMs(platform: number, version: Pick<OrderVersion, 'atMs'>): number {
    return version.atMs + (this.settings.platformClockOffMs[platform] ?? 0)
  }

  /** All orders of a platform that an answer shows as changed since then (by its clock), oldest change first. */
  shownSince(platform: number, sinceMs: number): { order: TrueOrder; version: OrderVersion }[] {
    const found: { order: TrueOrder; version: OrderVersion }[] = []
    for (const order of this.orders.values()) {
      if (order.platform !== platform || this.modifiedMs(platform, order.versions.at(-1)!) < sinceMs) continue
      const version = this.shown(order)
      if (!version || this.modifiedMs(platform, version) < sinceMs) continue
      found.push({ order, version })
    }
    return found.sort((one, other) => one.version.atMs - other.version.atMs)
  }

  /** Whether an answer shows the listing as on offer. */
  showsLive(listing: TrueListing): boolean {
    return listing.downMs === null || listing.downMs > this.seenAtMs()
  }
}

/** Returns an order's true version at a time; null before it was made. */
export function statusAt(order: TrueOrder, atMs: number): OrderVersion['status'] | null {
  return order.versions.findLast((version) => version.atMs <= atMs)?.status ?? null
}
