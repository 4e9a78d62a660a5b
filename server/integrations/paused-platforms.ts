import type { Database } from '#server/infra/db/index.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { PlatformError } from './errors.ts'
import * as sql from './queries.ts'

/** Age in ms at which the list of paused platforms is read again. */
const staleMs = 2_000
/** Wait in ms that refused work is told. */
const retryAfterMs = 60_000

/**
 * Creates a fetch that calls no platform that an operator has paused (`npm run admin -- platform pause ebay`). It throws
 * `rate_limited`, so that jobs wait as they do for a quota. A pause reaches every process within two seconds.
 */
export function pausableFetch(
  { db, fetch, platformOf }: { db: Database; fetch: Fetch; platformOf: (url: string) => OAuthSlug },
  clock: () => number = () => performance.now(),
): Fetch {
  let paused: Promise<ReadonlySet<string>> = Promise.resolve(new Set())
  let readAt = Number.NEGATIVE_INFINITY

  function readPaused(): Promise<ReadonlySet<string>> {
    if (clock() - readAt < staleMs) return paused
    readAt = clock()
    const before = paused
    // A database that cannot answer changes nothing: work for it stops anyway.
    paused = db
      .any(sql.listPausedPlatforms())
      .then((rows) => rows.map(({ platform }: { platform: string }) => platform))
      .then(
        (slugs) => new Set(slugs),
        () => before,
      )
    return paused
  }

  const pausable: Fetch = async (url, init) => {
    const platform = platformOf(url)
    if ((await readPaused()).has(platform)) {
      throw new PlatformError(platform, 'rate_limited', 'Calls to the platform are paused by the operator.', {
        platformCode: 'paused',
        retryAfterMs,
      })
    }
    return fetch(url, init)
  }
  if (fetch.reserve) pausable.reserve = fetch.reserve
  return pausable
}
