import type { Settings } from './settings.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A version of a platform's order. */
interface OrderVersion {
  atMs: number
  status: 'pending' | 'paid' | 'cancelled'
  /** Time when the platform starts to show it; later than `atMs` for late orders. */
  shownMs: number
  /** True for an order that is paid after a cancellation, which could not be prevented. */
  isRepaid: boolean
  /** Time when an answer with it first reached us. */
  readMs: number | null
}

export interface TrueOrder {
  id: string
  platform: number
  listing: string
  item: string
  versions: OrderVersion[]
}

interface TrueListing {
  id: string
  item: string
  platform: number
  /** Time when it ended; null while it is live. */
  downMs: number | null
}

/** A time range with a fault outside of our control. */
export interface Fault {
  fromMs: number
  toMs: number
  /** Null for our own machines. */
  platform: number | null
  cause: string
}

type ReceivePush = (platform: number, order: TrueOrder, sentMs: number) => 'accepted' | 'refused' | 'unreachable'

/** Thrown if a platform did not answer in time. The call may have succeeded. */
export class CallFailed extends Error {}

/**
 * The true state of the platforms: listings, purchases, and how unreliably they are reported. The workers see it only
 * through calls and pushes.
 */
export class Environment {
  readonly listings = new Map<string, TrueListing>()
  readonly orders = new Map<string, TrueOrder>()
  readonly faults: Fault[] = []
  calm = false
  private nextId = 1
  readonly time: VirtualTime
  readonly settings: Settings
  private readonly random: () => number
  receivePush: ReceivePush = () => 'unreachable'
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
        cause: 'outage',
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
    this.scheduleBuyers(listing)
    return listing
  }

  /** Schedules a purchase of the listing, perhaps with others of the item at nearly the same time. */
  private scheduleBuyers(listing: TrueListing): void {
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

  /** Cancels an order. Returns false if it already was. */
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

  /** Pushes an order, perhaps never, repeatedly or late. */
  private push(order: TrueOrder, lateMs: number): void {
    const { pushLost, pushRepeated, pushDelayMs } = this.settings
    const times = this.chance(pushLost) ? 0 : 1 + (this.chance(pushRepeated) ? 2 : 0)
    for (let count = 0; count < times; count++) this.deliver(order, lateMs + this.between(0, pushDelayMs), 5)
  }

  private deliver(order: TrueOrder, afterMs: number, triesLeft: number): void {
    const sentMs = this.time.nowMs + afterMs
    this.time.at(sentMs + this.between(20, 500), () => {
      if (this.receivePush(order.platform, order, sentMs) === 'unreachable' && triesLeft > 0) {
        this.deliver(order, 10_000, triesLeft - 1)
      }
    })
  }

  /** Returns the one-way duration of a call. */
  latency(): number {
    return this.between(0.2, 1) * this.settings.callMs * 0.5
  }

  /** Returns true if a call fails now. The caller decides whether it fails before or after its effect. */
  fails(platform: number, cause: string): boolean {
    const nowMs = this.time.nowMs
    const isOut = this.faults.some(
      (fault) => fault.platform === platform && fault.cause === 'outage' && fault.fromMs <= nowMs && nowMs < fault.toMs,
    )
    if (!isOut && (this.calm || !this.chance(this.settings.callFails))) return false
    if (!isOut) this.faults.push({ fromMs: nowMs, toMs: nowMs, platform, cause })
    return true
  }

  private seenAtMs(): number {
    return this.time.nowMs - (this.calm ? 0 : this.between(0, this.settings.lagMs))
  }

  /** Returns the order's version in an answer, which may be stale. */
  shown(order: TrueOrder): OrderVersion | null {
    const atMs = this.seenAtMs()
    return order.versions.findLast(({ shownMs }) => shownMs <= atMs) ?? null
  }

  /** Returns the time of a version by the platform's clock. */
  modifiedMs(platform: number, version: Pick<OrderVersion, 'atMs'>): number {
    return version.atMs + (this.settings.platformClockOffMs[platform] ?? 0)
  }

  /** Returns the orders changed since a time by the platform's clock, oldest change first. */
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

  /** Returns true if an answer shows the listing as live. */
  showsLive(listing: TrueListing): boolean {
    return listing.downMs === null || listing.downMs > this.seenAtMs()
  }
}

/** Returns an order's true version at a time; null before it was made. */
export function statusAt(order: TrueOrder, atMs: number): OrderVersion['status'] | null {
  return order.versions.findLast((version) => version.atMs <= atMs)?.status ?? null
}
