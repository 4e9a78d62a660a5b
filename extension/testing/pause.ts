import type { Harness } from './harness.ts'

/** Event-loop turns after which an unfinished operation counts as blocked. */
const maxTurns = 400

/**
 * Pauses an operation after its `at`-th external call (0: before the first) and runs `meanwhile`, until it ends or
 * waits for the paused operation.
 */
export class Pause {
  private touches = -1
  private readonly at: number
  private readonly meanwhile: () => Promise<unknown>
  private other: Promise<unknown> | null = null

  constructor(at: number, meanwhile: () => Promise<unknown>) {
    this.at = at
    this.meanwhile = meanwhile
  }

  /** Points at which the operation can be paused, once it has ended. */
  get steps(): number {
    return this.touches + 1
  }

  /** True once the operation made that many calls. */
  get reached(): boolean {
    return this.other !== null
  }

  /** Waits until `meanwhile` has ended. */
  async over(): Promise<void> {
    await this.other
  }

  /** Counts the worker's external calls. A database transaction counts once. */
  putInto({ context, server }: Harness): void {
    const { store, locks } = context
    const { fetch } = server
    const through =
      <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
      (...args: Args) =>
        this.through(() => work(...args))
    context.store = {
      get: through((name) => store.get(name)),
      set: through((name, value) => store.set(name, value)),
      clear: through(() => store.clear()),
    }
    context.importQueue = through(context.importQueue)
    context.inventory = through(context.inventory)
    context.openTab = through(context.openTab)
    context.badge = through(context.badge)
    context.notify = through(context.notify)
    context.clearTraces = through(context.clearTraces)
    const request = (name: string, work: () => Promise<unknown>) =>
      this.through(() => locks.request(name, work) as Promise<unknown>)
    context.locks = { request: request as typeof locks.request }
    Object.assign(server, {
      fetch: through((url: string, init: RequestInit) => {
        init.signal?.throwIfAborted()
        return fetch(url, init)
      }),
    })
  }

  private async through<T>(work: () => Promise<T>): Promise<T> {
    if (this.touches === -1) await this.step()
    const value = await work()
    await this.step()
    return value
  }

  private async step(): Promise<void> {
    if (++this.touches !== this.at) return
    let ended = false
    this.other = this.meanwhile().finally(() => {
      ended = true
    })
    // Errors are reported by `over`.
    this.other.catch(() => {})
    for (let turn = 0; turn < maxTurns && !ended; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}
