/** A clock that jumps to the next scheduled callback, in ms since the start. */
export class VirtualTime {
  nowMs = 0
  private readonly heap: { atMs: number; order: number; run: () => void }[] = []
  private order = 0

  /** Schedules a callback. Callbacks of the same time run in scheduling order. */
  at(atMs: number, run: () => void): void {
    const heap = this.heap
    heap.push({ atMs: Math.max(atMs, this.nowMs), order: this.order++, run })
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1
      if (!this.isBefore(child, parent)) break
      this.swap(child, parent)
      child = parent
    }
  }

  after(ms: number, run: () => void): void {
    this.at(this.nowMs + ms, run)
  }

  /** Advances time to `untilMs` and returns the number of callbacks that ran. */
  runUntil(untilMs: number): number {
    let count = 0
    for (let next = this.heap[0]; next && next.atMs <= untilMs; next = this.heap[0]) {
      this.removeFirst()
      this.nowMs = next.atMs
      next.run()
      count++
    }
    this.nowMs = untilMs
    return count
  }

  private removeFirst(): void {
    const heap = this.heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    heap[0] = last
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1
      if (left >= heap.length) return
      const child = left + 1 < heap.length && this.isBefore(left + 1, left) ? left + 1 : left
      if (!this.isBefore(child, parent)) return
      this.swap(child, parent)
      parent = child
    }
  }

  private isBefore(one: number, other: number): boolean {
    const [first, second] = [this.heap[one]!, this.heap[other]!]
    return first.atMs < second.atMs || (first.atMs === second.atMs && first.order < second.order)
  }

  private swap(one: number, other: number): void {
    const kept = this.heap[one]!
    this.heap[one] = this.heap[other]!
    this.heap[other] = kept
  }
}
