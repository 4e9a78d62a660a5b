import { delistWaitMs, rereadMs } from '#server/selling/listings/operations/retry-policy.ts'
import { isVerifiedDown } from '#server/selling/listings/operations/run-delist.ts'
import { fetchLeaseSeconds, fetchRetrySeconds } from '#server/selling/orders/fetch-retry.ts'
import { failedReadingWait, nextReading } from '#server/selling/orders/next-reading.ts'
import { overlapEverySeconds, overlapSeconds, shortOverlapSeconds } from '#server/selling/orders/read-budgets.ts'
import { leaseSeconds } from '#server/selling/orders/read-shop.ts'
import type { Environment, TrueOrder } from './environment.ts'
import { CallFailed } from './environment.ts'
import type { DelistOperation, FetchRequest, Ledger, ShopSync } from './ledger.ts'

/** A task, which yields the ms it waits. Its process may crash at each yield. */
type Task = Generator<number, void>

const tickMs = 1_000
const delistLeaseMs = 30_000

/** A worker process, which polls for work, runs it step by step, and may crash at every step. */
export class Worker {
  alive = true
  private epoch = 0
  private readonly running = new Set<object>()
  private nextPollMs = Number.POSITIVE_INFINITY
  readonly environment: Environment
  readonly ledger: Ledger
  readonly name: string

  constructor(environment: Environment, ledger: Ledger, name: string) {
    this.environment = environment
    this.ledger = ledger
    this.name = name
  }

  private get nowMs(): number {
    return this.environment.time.nowMs
  }

  /** Schedules a poll at this time, unless an earlier one is scheduled. */
  pollBy(dueMs: number): void {
    const atMs = Math.max(this.nowMs, dueMs)
    if (!this.alive || atMs >= this.nextPollMs) return
    this.nextPollMs = atMs
    const { epoch } = this
    this.environment.time.at(atMs, () => {
      if (epoch !== this.epoch || this.nextPollMs !== atMs) return
      this.nextPollMs = Number.POSITIVE_INFINITY
      this.poll()
    })
  }

  private poll(): void {
    const { ledger, nowMs } = this
    let nextMs = Number.POSITIVE_INFINITY
    const dueAt = (atMs: number) => {
      nextMs = Math.min(nextMs, atMs)
      return atMs <= nowMs
    }
    for (const request of ledger.fetchRequests.values()) {
      if (request.handled || !dueAt(request.nextMs)) continue
      request.attempts++
      request.nextMs = nowMs + fetchLeaseSeconds * 1_000
      this.start(this.fetchRequestedOrder(request, nowMs))
    }
    for (const operation of ledger.operations) {
      if (operation.state !== 'open' || !dueAt(Math.max(operation.nextMs, operation.leaseMs))) continue
      operation.epoch++
      operation.leaseMs = nowMs + delistLeaseMs
      this.start(this.delist(operation, operation.epoch))
    }
    for (const sync of ledger.syncs) {
      if (!dueAt(Math.max(sync.nextMs, sync.leaseMs))) continue
      sync.epoch++
      sync.leaseMs = nowMs + leaseSeconds * 1_000
      this.start(this.readShop(sync, sync.epoch, nowMs))
    }
    // Work that becomes due is found at the next tick.
    if (nextMs < Number.POSITIVE_INFINITY) this.pollBy(Math.max(nextMs, nowMs + 1) + tickMs)
  }

  /** Crashes and restarts later. Running tasks are lost; only the ledger remains. */
  crash(): void {
    const backMs = this.environment.between(500, 20_000)
    this.environment.faults.push({
      fromMs: this.nowMs,
      toMs: this.nowMs + backMs,
      platform: null,
      cause: `${this.name} crashed`,
    })
    this.environment.trace(`${this.name} crashes`)
    this.alive = false
    this.epoch++
    this.running.clear()
    this.nextPollMs = Number.POSITIVE_INFINITY
    this.environment.time.after(backMs, () => {
      this.alive = true
      this.pollBy(this.nowMs)
    })
  }

  private start(task: Task): void {
    this.running.add(task)
    this.step(task, this.epoch)
  }

  private step(task: Task, epoch: number): void {
    if (epoch !== this.epoch) return
    if (!this.environment.calm && this.environment.chance(this.environment.settings.crash)) {
      this.crash()
      return
    }
    const { done, value } = task.next()
    if (!done) {
      this.environment.time.after(value, () => this.step(task, epoch))
      return
    }
    this.running.delete(task)
    this.pollBy(this.nowMs)
  }

  /** Notifies the other workers of new work. If the notification is lost, their next tick finds it. */
  private notifyOthers(): void {
    for (const worker of this.others) {
      const isLost = !this.environment.calm && this.environment.chance(this.environment.settings.notificationLost)
      worker.pollBy(this.nowMs + (isLost ? tickMs : 5))
    }
  }
  others: Worker[] = []

  /** Calls a platform. `effect` happens in the middle, even if the answer is lost. */
  private *call<Result>(platform: number, cause: string, effect: () => Result): Generator<number, Result> {
    const { environment } = this
    yield environment.latency()
    const isLost = environment.fails(platform, cause)
    if (isLost && environment.chance(0.5)) {
      yield environment.latency()
      throw new CallFailed(cause)
    }
    const result = effect()
    yield environment.latency()
    if (isLost) throw new CallFailed(cause)
    return result
  }

  private *fetchRequestedOrder(request: FetchRequest, claimedMs: number): Task {
    const { environment } = this
    const order = environment.orders.get(request.order)!
    try {
      const version = yield* this.call(request.platform, 'fetching an order', () => environment.shown(order))
      if (!version) {
        environment.faults.push({
          fromMs: this.nowMs,
          toMs: this.nowMs,
          platform: request.platform,
          cause: 'order not shown yet',
        })
        const seconds = fetchRetrySeconds(request.attempts, 'unknown')
        if (seconds === null) Object.assign(request, { handled: true, isUnknown: true })
        else request.nextMs = this.nowMs + seconds * 1_000
        return
      }
      version.readMs ??= this.nowMs
      yield 1
      this.record(order, version, request.receivedMs)
      yield 1
      if (request.receivedMs <= claimedMs) request.handled = true
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      request.nextMs = this.nowMs + fetchRetrySeconds(request.attempts, 'failed')! * 1_000
    }
  }

  private *readShop(sync: ShopSync, epoch: number, startedMs: number): Task {
    const { environment, ledger } = this
    const isFull = sync.fullMs === null || sync.fullMs < startedMs - overlapEverySeconds * 1_000
    const back = ledger.mutant === 'no-overlap' ? 0 : isFull ? overlapSeconds : shortOverlapSeconds
    const from = isFull
      ? Math.min(sync.fullMs ?? startedMs, sync.readUntilMs ?? startedMs)
      : (sync.readUntilMs ?? startedMs)
    try {
      const found = yield* this.call(sync.platform, 'reading orders', () =>
        environment.shownSince(sync.platform, from - back * 1_000),
      )
      for (const { version } of found) version.readMs ??= this.nowMs
      for (const { order, version } of found) {
        const known = ledger.lines.get(order.id)
        if (known && Date.parse(known.modified_at) >= environment.modifiedMs(order.platform, version)) continue
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
    const reported = {
      key: order.id,
      platform: order.platform,
      listing: order.listing,
      now: {
        status: version.status,
        quantity: 1,
        modified_at: new Date(this.environment.modifiedMs(order.platform, version)).toISOString(),
      },
    }
    if (this.ledger.record(reported, this.nowMs, seenMs)) {
      this.environment.trace(`${this.name} records ${order.id} as ${this.ledger.lines.get(order.id)?.state}`)
      this.notifyOthers()
      this.pollBy(this.nowMs)
    }
  }

  private *delist(operation: DelistOperation, epoch: number): Task {
    const { environment, ledger } = this
    const listing = environment.listings.get(operation.listing)!
    const hasLease = () => operation.epoch === epoch && operation.state === 'open'
    const postpone = (afterMs: number) => {
      operation.nextMs = this.nowMs + afterMs
      operation.leaseMs = 0
      if (this.nowMs - operation.seenMs > 300_000) operation.isAlerted = true
    }
    try {
      yield* this.call(operation.platform, 'delisting', () => {
        if (listing.downMs === null) {
          listing.downMs = this.nowMs
          environment.trace(`${listing.id} on P${operation.platform} is down`)
        }
      })
      if (!hasLease()) return
      operation.acceptedMs ??= this.nowMs
      if (ledger.mutant !== 'confirms-without-reading') {
        const shows = yield* this.call(operation.platform, 'reading back', () => environment.showsLive(listing))
        if (!hasLease()) return
        if (!isVerifiedDown(shows ? 'live' : 'ended', null)) {
          operation.failures = 0
          return postpone(rereadMs(this.nowMs - operation.acceptedMs))
        }
      }
      yield 1
      if (!hasLease()) return
      operation.state = 'done'
      const row = ledger.channel.get(operation.listing)!
      if (row.state === 'available' || row.state === 'reserved') row.state = 'removed'
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      // A worker whose lease was taken over writes nothing.
      if (hasLease()) postpone(delistWaitMs(operation.failures++, this.nowMs - operation.seenMs))
      // This mutant assumes that its call succeeded.
      if (ledger.mutant === 'confirms-without-reading' && hasLease()) operation.state = 'done'
    }
  }
}
