import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followAddresses } from './follow-addresses.ts'

/** A performance entry. */
class Entry {
  name: string
  startTime: number
  initiatorType: string
  constructor(name: string, startTime: number, initiatorType = 'fetch') {
    this.name = name
    this.startTime = startTime
    this.initiatorType = initiatorType
  }
}

let notify: (...entries: Entry[]) => void
let now = 0
beforeEach(() => {
  now = 0
  vi.stubGlobal('PerformanceResourceTiming', Entry)
  vi.stubGlobal('performance', { now: () => now })
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(callback: (list: { getEntries: () => Entry[] }) => void) {
        notify = (...entries) => callback({ getEntries: () => entries })
      }
      observe() {}
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

it('forgets requests from before the form was filled', () => {
  const addresses = followAddresses(new Set(), () => {})
  notify(new Entry('/first/published', 100))
  now = 200
  addresses.forget()
  notify(new Entry('/late/published', 190), new Entry('/second/published', 210))
  expect(addresses.list()).toEqual(['/second/published'])
})

it('reports only requests of the page’s own scripts', () => {
  let reported = 0
  const addresses = followAddresses(new Set(['/own']), () => reported++)
  notify(new Entry('/own', 1), new Entry('/picture.jpg', 2, 'img'))
  expect(reported).toBe(0)
  notify(new Entry('/posts', 3), new Entry('/more', 4, 'xmlhttprequest'))
  expect([reported, addresses.list()]).toEqual([1, ['/posts', '/more']])
})
