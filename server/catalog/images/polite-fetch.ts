import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import { type FetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'

/** Pictures fetched from one host at once. */
const together = 2
/** Failures in a row after which a host rests. */
const failuresBeforeRest = 3
/** Milliseconds of the first rest; each further one doubles, up to the longest. */
const rests = { firstMs: 60_000, longestMs: 3_600_000 }

/**
 * Returns a fetcher that is polite to picture hosts: few requests at once, and none for a while after a host refused or
 * failed repeatedly. Throws PictureError for a resting host, too.
 */
export function createPoliteFetch(fetchPicture: FetchPicture, now: () => number = Date.now): FetchPicture {
  const inTurn = createKeyedLimit(together)
  const hosts = new Map<string, { failures: number; restMs: number; untilMs: number }>()
  return (address, signal) => {
    const host = URL.canParse(address) ? new URL(address).host : ''
    return inTurn(host, async () => {
      const state = hosts.get(host) ?? { failures: 0, restMs: 0, untilMs: 0 }
      if (state.untilMs > now())
        throw new PictureError('The host of the pictures fails or refuses at the moment.', true)
      try {
        const picture = await fetchPicture(address, signal)
        hosts.delete(host)
        return picture
      } catch (error) {
        if (error instanceof PictureError && error.passes) hosts.set(host, afterFailure(state, error, now()))
        throw error
      }
    })
  }
}

function afterFailure(state: { failures: number; restMs: number }, { status }: PictureError, nowMs: number) {
  const failures = state.failures + 1
  const isAskedToWait = status === 429 || status === 503
  if (!isAskedToWait && failures < failuresBeforeRest) return { failures, restMs: state.restMs, untilMs: 0 }
  const restMs = Math.min(rests.longestMs, state.restMs === 0 ? rests.firstMs : state.restMs * 2)
  return { failures: 0, restMs, untilMs: nowMs + restMs }
}
