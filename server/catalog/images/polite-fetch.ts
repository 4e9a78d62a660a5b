import { isIP } from 'node:net'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import { type FetchPicture, type Picture, PictureError } from '#server/integrations/fetch-picture.ts'

/** Pictures fetched from one host at once. */
const together = 2
/** Failures in a row after which a host rests. */
const failuresBeforeRest = 3
/** Milliseconds of the first rest; each further one doubles, up to the longest. */
const rests = { firstMs: 60_000, longestMs: 3_600_000 }

/** Hosts remembered before those that rest no more are dropped. */
const maxHosts = 10_000

/**
 * Returns a fetcher that is polite to picture hosts: few requests at once to one of them, and none for an account for a
 * while after a host refused or failed repeatedly. A domain counts as one host there, because its owner can make up any
 * name below it. Throws PictureError for a resting host, too.
 */
export function createPoliteFetch(fetchPicture: FetchPicture, now: () => number = () => performance.now()) {
  const inTurn = createKeyedLimit(together)
  const hosts = new Map<string, { failures: number; restMs: number; untilMs: number }>()
  return (address: string, signal: AbortSignal | undefined, user_id: number): Promise<Picture> => {
    const url = URL.parse(address)
    // Of the account, so that names made up below another's domain do not put that domain to rest for everyone.
    const key = `${user_id} ${domainOf(url?.hostname ?? '')}`
    return inTurn(url?.host ?? '', async () => {
      signal?.throwIfAborted()
      const state = hosts.get(key) ?? { failures: 0, restMs: 0, untilMs: 0 }
      if (state.untilMs > now())
        throw new PictureError('The host of the pictures fails or refuses at the moment.', true)
      try {
        const picture = await fetchPicture(address, signal)
        hosts.delete(key)
        return picture
      } catch (error) {
        if (error instanceof PictureError && error.passes) {
          hosts.set(key, afterFailure(state, error, now()))
          if (hosts.size > maxHosts) for (const [one, { untilMs }] of hosts) if (untilMs <= now()) hosts.delete(one)
        }
        throw error
      }
    })
  }
}

/** Returns the last two labels of a host name, or an address as it is. */
function domainOf(host: string): string {
  return isIP(host.replace(/^\[|\]$/g, '')) ? host : host.split('.').slice(-2).join('.')
}

function afterFailure(state: { failures: number; restMs: number }, { status }: PictureError, nowMs: number) {
  const failures = state.failures + 1
  const isAskedToWait = status === 429 || status === 503
  if (!isAskedToWait && failures < failuresBeforeRest) return { failures, restMs: state.restMs, untilMs: 0 }
  const restMs = Math.min(rests.longestMs, state.restMs === 0 ? rests.firstMs : state.restMs * 2)
  return { failures: 0, restMs, untilMs: nowMs + restMs }
}
