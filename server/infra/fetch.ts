import { type WayInName, waysIn } from './ways-in/ways-in.ts'

/** The fetch that adapters use, so that quotas can intercept it. */
export interface Fetch {
  (url: string, init?: RequestInit): Promise<Response>
  /**
   * Reserves calls of the platform's budget in advance (`withReservedCalls`). Throws PlatformError `rate_limited`.
   * Absent without a budget.
   */
  reserve?(url: string, calls: number): Promise<void>
}

/**
 * Returns a fetch that follows no redirect unless told to, gives up after `timeoutMs`, and fails within the body of an
 * answer that is larger than its way in allows.
 */
export function boundedFetch(fetch: Fetch, way: WayInName, timeoutMs: number = waysIn[way].giveUpMs): Fetch {
  return async (url, init = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const response = await fetch(url, { redirect: 'error', ...init, signal })
    let left: number = waysIn[way].bytes
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length
        if (left < 0) throw new Error(`The answer has more than ${waysIn[way].bytes} bytes.`)
        controller.enqueue(chunk)
      },
    })
    return response.body ? new Response(response.body.pipeThrough(count), response) : response
  }
}
