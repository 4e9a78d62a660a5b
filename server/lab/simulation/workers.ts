import { delistWaitMs, rereadMs } from '#server/selling/listings/retry-policy.ts'
import { isVerifiedDown } from '#server/selling/listings/run-delist.ts'
import { fetchLeaseSeconds, fetchRetrySeconds } from '#server/selling/orders/fetch-retry.ts'
import { failedReadingWait, nextReading } from '#server/selling/orders/next-reading.ts'
import { overlapEverySeconds, overlapSeconds, shortOverlapSeconds } from '#server/selling/orders/read-budgets.ts'
import { leaseSeconds } from '#server/selling/orders/read-shop.ts'
import type { DelistIntent, Hint, Ledger, ShopSync } from './ledger.ts'
import type { TrueOrder, World } from './world.ts'
import { CallFailed } from './world.ts'

/** A task, which yields the ms it waits. Its process may die at each yield. */
type Task = Generator<number, void>

const tickMs = 1_000
const delistLeaseMs = 30_000

/** A worker process: it looks for work, works on it step by step, and may die at every step. */
export class Worker {
  alive = true
  private epoch = 0
  private readonly running = new Set<object>()
  private nextLookMs = Number.POSITIVE_INFINITY
  readonly world: World
  readonly ledger: Ledger
  readonly name: string

  constructor(world: World, ledger: Ledger, name: string) {
    this.world = world
    this.ledger = ledger
    this.name = name
  }

  private get nowMs(): number {
    return this.world.time.nowMs
  }

  /** Looks for work when something is due, at the next of its ticks. */
  lookBy(dueMs: number): void {
    const atMs = Math.max(this.nowMs, dueMs)
    if (!this.alive || atMs >= this.nextLookMs) return
    this.nextLookMs = atMs
    const { epoch } = this
    this.world.time.at(atMs, () => {
      if (epoch !== this.epoch || this.nextLookMs !== atMs) return
      this.nextLookMs = Number.POSITIVE_INFINITY
      this.look()
    })
  }

  private look(): void {
    const { ledger, nowMs } = this
    let nextMs = Number.POSITIVE_INFINITY
    const dueAt = (atMs: number) => {
      nextMs = Math.min(nextMs, atMs)
      return atMs <= nowMs
    }
    for (const hint of ledger.hints.values()) {
      if (hint.handled || !dueAt(hint.nextMs)) continue
      hint.attempts++
      hint.nextMs = nowMs + fetchLeaseSeconds * 1_000
      this.start(this.fetchRequestedOrder(hint, nowMs))
    }
    for (const intent of ledger.intents) {
      if (intent.state !== 'open' || !dueAt(Math.max(intent.nextMs, intent.leaseMs))) continue
      intent.epoch++
      intent.leaseMs = nowMs + delistLeaseMs
      this.start(this.delist(intent, intent.epoch))
    }
    for (const sync of ledger.syncs) {
      if (!dueAt(Math.max(sync.nextMs, sync.leaseMs))) continue
      sync.epoch++
      sync.leaseMs = nowMs + leaseSeconds * 1_000
      this.start(this.readShop(sync, sync.epoch, nowMs))
    }
    // Work that falls due is found at the next tick.
    if (nextMs < Number.POSITIVE_INFINITY) this.lookBy(Math.max(nextMs, nowMs + 1) + tickMs)
  }

  /** Dies: everything under way is gone, and only what stands in the ledger is left. Somebody starts it again. */
  die(): void {
    const backMs = this.world.between(500, 20_000)
    this.world.faults.push({ fromMs: this.nowMs, toMs: this.nowMs + backMs, platform: null, what: `${this.name} died` })
    this.world.trace(`${this.name} dies`)
    this.alive = false
    this.epoch++
    this.running.clear()
    this.nextLookMs = Number.POSITIVE_INFINITY
    this.world.time.after(backMs, () => {
      this.alive = true
      this.lookBy(this.nowMs)
    })
  }

  private start(task: Task): void {
    this.running.add(task)
    this.step(task, this.epoch)
  }

  private step(task: Task, epoch: number): void {
    if (epoch !== this.epoch) return
    if (!this.world.calm && this.world.chance(this.world.settings.crash)) {
      this.die()
      return
    }
    const { done, value } = task.next()
    if (!done) {
      this.world.time.after(value, () => this.step(task, epoch))
      return
    }
    this.running.delete(task)
    this.lookBy(this.nowMs)
  }

  /** A transaction that made work tells the others; the notice may be lost, and their tick finds it. */
  private tell(): void {
    for (const worker of this.others) {
      const isLost = !this.world.calm && this.world.chance(this.world.settings.noticeLost)
      worker.lookBy(this.nowMs + (isLost ? tickMs : 5))
    }
  }
  others: Worker[] = []

  /** One call to a platform: `effect` happens in the middle, also when the answer is lost. */
  private *call<Result>(platform: number, what: string, effect: () => Result): Generator<number, Result> {
    const { world } = this
    yield world.latency()
    const isLost = world.fails(platform, what)
    if (isLost && world.chance(0.5)) {
      yield world.latency()
      throw new CallFailed(what)
    }
    const result = effect()
    yield world.latency()
    if (isLost) throw new CallFailed(what)
    return result
  }

  private *fetchRequestedOrder(hint: Hint, claimedMs: number): Task {
    const { world } = this
    const order = world.orders.get(hint.order)!
    try {
      const version = yield* this.call(hint.platform, 'fetching an order', () => world.shown(order))
      if (!version) {
        world.faults.push({
          fromMs: this.nowMs,
          toMs: this.nowMs,
          platform: hint.platform,
          what: 'order not shown yet',
        })
        const seconds = fetchRetrySeconds(hint.attempts, 'unknown')
        if (seconds === null) Object.assign(hint, { handled: true, isUnknown: true })
        else hint.nextMs = this.nowMs + seconds * 1_000
        return
      }
      version.readMs ??= this.nowMs
      yield 1
      this.record(order, version, hint.receivedMs)
      yield 1
      if (hint.receivedMs <= claimedMs) hint.handled = true
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      hint.nextMs = this.nowMs + fetchRetrySeconds(hint.attempts, 'failed')! * 1_000
    }
  }

  private *readShop(sync: ShopSync, epoch: number, startedMs: number): Task {
    const { world, ledger } = this
    const isFull = sync.fullMs === null || sync.fullMs < startedMs - overlapEverySeconds * 1_000
    const back = ledger.mutant === 'no-overlap' ? 0 : isFull ? overlapSeconds : shortOverlapSeconds
    const from = isFull
      ? Math.min(sync.fullMs ?? startedMs, sync.readUntilMs ?? startedMs)
      : (sync.readUntilMs ?? startedMs)
    try {
      const found = yield* this.call(sync.platform, 'reading orders', () =>
        world.shownSince(sync.platform, from - back * 1_000),
      )
      for (const { version } of found) version.readMs ??= this.nowMs
      for (const { order, version } of found) {
        const known = ledger.lines.get(order.id)
        if (known && Date.parse(known.modified_at) >= world.modifiedMs(order.platform, version)) continue
        yield 1
        this.record(order, version, startedMs)
      }
      yield 1
      if (sync.epoch !== epoch) return
      sync.readUntilMs = Math.max(sync.readUntilMs ?? 0, startedMs)
      if (isFull) sync.fullMs = startedMs
      sync.failures = 0
      sync.leaseMs = 0
      sync.nextMs =
        this.nowMs +
        1_000 * nextReading({ plannedSeconds: sync.intervalSeconds, fastestSeconds: sync.intervalSeconds, fullness: 0 })
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (sync.epoch !== epoch) return
      sync.leaseMs = 0
      sync.nextMs = this.nowMs + 1_000 * failedReadingWait(sync.failures++, sync.intervalSeconds)
    }
  }

  private record(
    order: TrueOrder,
    version: { status: 'pending' | 'paid' | 'cancelled'; atMs: number },
    seenMs: number,
  ): void {
    const told = {
      key: order.id,
      platform: order.platform,
      listing: order.listing,
      now: {
        status: version.status,
        quantity: 1,
        modified_at: new Date(this.world.modifiedMs(order.platform, version)).toISOString(),
      },
    }
    if (this.ledger.record(told, this.nowMs, seenMs)) {
      this.world.trace(`${this.name} records ${order.id} as ${this.ledger.lines.get(order.id)?.state}`)
      this.tell()
      this.lookBy(this.nowMs)
    }
  }

  private *delist(intent: DelistIntent, epoch: number): Task {
    const { world, ledger } = this
    const listing = world.listings.get(intent.listing)!
    const isHeld = () => intent.epoch === epoch && intent.state === 'open'
    const putOff = (afterMs: number) => {
      intent.nextMs = this.nowMs + afterMs
      intent.leaseMs = 0
      if (this.nowMs - intent.seenMs > 300_000) intent.isAlarmed = true
    }
    try {
      yield* this.call(intent.platform, 'taking down', () => {
        if (listing.downMs === null) {
          listing.downMs = this.nowMs
          world.trace(`${listing.id} on P${intent.platform} is down`)
        }
      })
      if (!isHeld()) return
      intent.acceptedMs ??= this.nowMs
      if (ledger.mutant !== 'says-done-unread') {
        const shows = yield* this.call(intent.platform, 'reading back', () => world.showsLive(listing))
        if (!isHeld()) return
        if (!isVerifiedDown(shows ? 'live' : 'ended', null)) {
          intent.failures = 0
          return putOff(rereadMs(this.nowMs - intent.acceptedMs))
        }
      }
      yield 1
      if (!isHeld()) return
      intent.state = 'done'
      const row = ledger.channel.get(intent.listing)!
      if (row.state === 'available' || row.state === 'reserved') row.state = 'removed'
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      // A worker whose lease was taken writes nothing.
      if (isHeld()) putOff(delistWaitMs(intent.failures++, this.nowMs - intent.seenMs))
      // The broken one believes that what it sent has arrived.
      if (ledger.mutant === 'says-done-unread' && isHeld()) intent.state = 'done'
    }
  }
}
