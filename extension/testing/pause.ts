import type { Harness } from './harness.ts'

/** Turns of the event loop after which something that has not ended waits for something else. */
const patienceTurns = 400

/**
 * Stops what is under way after its `at`-th touch of the world (0: before the first), and lets something else happen
 * there: to its end, or for as long as it does not wait for what was stopped.
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

  /** True when there were so many touches. */
  get reached(): boolean {
    return this.other !== null
  }

  /** Waits for the end of what happened meanwhile. */
  async over(): Promise<void> {
    await this.other
  }

  /** Makes everything that a worker does with the world a touch. Databases are touched as a whole: a transaction is one. */
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
    // Told by whoever waits for it.
    this.other.catch(() => {})
    for (let turn = 0; turn < patienceTurns && !ended; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}
