import {
  type ListingRef,
  type PageAnswer,
  ReadingStopped,
  type ScrapePlatform,
  type StopReason,
  type Taken,
} from '#extension/platforms/port.ts'
import { contentHash } from '#extension/storage/import-queue/content-hash.ts'
import type { Cache, CachedListing, Run, SeenSale } from '#extension/storage/import-queue/database.ts'
import { addToOutbox, sealOutbox } from '#extension/storage/import-queue/outbox.ts'
import { isCheck } from '#extension/storage/import-queue/scrapes.ts'
import { keepUnread } from '#extension/storage/import-queue/unread-listings.ts'
import { isJobFailure, partUnread } from '#shared/import-issues.ts'
import type { ListingFailure } from '#shared/listing.ts'
import { platformOf } from '#shared/platforms.ts'
import { forgetSent } from '../upload/forget-sent.ts'
import { goOnWithMissing, isOpen } from './check.ts'
import { countFields, fieldFailures } from './field-tally.ts'

interface Deps {
  cache: Cache
  now: () => number
}

/** Answers in a row that may bring nothing before reading stops. */
const maxMisses = 3

/**
 * Takes what a tab fetched for `step` and moves the run on, in one transaction: listings into cache and outbox, the
 * cursor forward. An answer to a step that was taken already changes nothing, so every answer may come twice. The
 * worker may die before, in or after it: the tab asks again and gets the step that is due.
 */
export async function takeAnswer(
  deps: Deps,
  platform: ScrapePlatform,
  runId: string,
  step: number,
  answer: PageAnswer,
): Promise<Run | undefined> {
  const run = await deps.cache.runs.get(runId)
  if (!run || !isDue(run, step)) return run
  const taken = tryTake(platform, run, answer)
  if (taken instanceof ReadingStopped) return miss(deps, run, step, taken)
  return store(deps, platform, run, taken)
}

/** Ends reading until the seller goes on. What was read is sent. */
export async function stopRun(
  deps: Deps,
  runId: string,
  stop: { reason: StopReason; message: string },
): Promise<Run | undefined> {
  return deps.cache.transaction('rw', deps.cache.runs, deps.cache.outbox, async () => {
    const run = await deps.cache.runs.get(runId)
    if (run?.state !== 'reading') return run
    await sealOutbox(deps.cache, runId)
    return put(deps, { ...run, state: 'stopped', stop, misses: 0, driver: null })
  })
}

/** Goes on with a run that was stopped. */
export async function continueRun(deps: Deps, runId: string): Promise<Run | undefined> {
  return deps.cache.transaction('rw', deps.cache.runs, async () => {
    const run = await deps.cache.runs.get(runId)
    return run?.state === 'stopped' ? put(deps, { ...run, state: 'reading', stop: null, misses: 0 }) : run
  })
}

function tryTake(platform: ScrapePlatform, run: Run, answer: PageAnswer): Taken | ReadingStopped {
  try {
    return platform.take(run.cursor, answer)
  } catch (error) {
    if (error instanceof ReadingStopped) return error
    // A mistake of ours must not make the tab ask for ever: it stops, with everything kept.
    return new ReadingStopped('internal', error instanceof Error ? error.message : String(error))
  }
}

async function miss(deps: Deps, run: Run, step: number, stopped: ReadingStopped): Promise<Run | undefined> {
  const again = stopped.reason === 'unreachable' && run.misses < maxMisses
  if (!again) return stopRun(deps, run.id, { reason: stopped.reason, message: stopped.message })
  return deps.cache.transaction('rw', deps.cache.runs, async () => {
    const current = await deps.cache.runs.get(run.id)
    return current && isDue(current, step) ? put(deps, { ...current, misses: current.misses + 1 }) : current
  })
}

async function store(deps: Deps, platform: ScrapePlatform, before: Run, taken: Taken): Promise<Run | undefined> {
  const { cache } = deps
  const last = platform.nextRequest(taken.cursor) === null
  // Hashing waits for something that is no database, which would end a transaction: it comes before.
  const hashes = new Map(
    await Promise.all(taken.listings.map(async (one) => [one.listing_id, await contentHash(one)] as const)),
  )
  return cache.transaction('rw', [cache.runs, cache.outbox, cache.listings, cache.seen, cache.sales], async () => {
    const run = await cache.runs.get(before.id)
    if (!run || !isDue(run, before.step)) return run
    const listings = await unseen(cache, run, taken.listings)
    const told = await unseen(cache, run, taken.failures)
    const keys = listings.map((listing) => `${run.platform}:${listing.listing_id}`)
    const known = await cache.listings.bulkGet(keys)
    const isKept = (index: number) => !run.ours_only || known[index] !== undefined
    const read = listings.map((listing, index) => ({
      key: keys[index]!,
      platform: run.platform,
      listing_id: listing.listing_id,
      shop: run.username,
      listing,
      content_hash: hashes.get(listing.listing_id)!,
      sent_hash: known[index]?.sent_hash ?? null,
      read_at: deps.now(),
      sources: taken.sources?.[listing.listing_id] ?? null,
    }))
    await cache.listings.bulkPut(read.filter((_, index) => isKept(index)))
    const fields = countFields(
      run.fields ?? {},
      read.map((one, index) => ({ ...one, before: known[index]?.unread ? undefined : known[index]?.listing })),
    )
    const counted = { ...run, fields, read: run.read + listings.length }
    const failures = last && !isCheck(run) ? [...told, ...problemsOf(counted, told)] : told
    const moved: Run = {
      ...counted,
      cursor: taken.cursor,
      step: run.step + 1,
      misses: 0,
      failed: run.failed + failures.length,
      left_out: (run.left_out ?? 0) + (taken.left_out ?? 0),
      ...(taken.total === undefined ? {} : { total_now: taken.total }),
      page_unread: run.page_unread || told.some(({ field }) => field === 'listings'),
      problems: [
        ...(run.problems ?? []),
        ...failures.filter(({ listing_id }) => isJobFailure(listing_id)).map(({ error_message }) => error_message),
      ],
    }
    if (isCheck(run)) {
      await noteSeen(deps, run, taken.seen ?? [])
      await noteUnread(deps, run, failures, taken.gone ?? [])
      const sold = read.filter(({ listing }, index) => listing.state === 'sold' && known[index] && isOpen(known[index]))
      await cache.sales.bulkPut(sold.map((one) => saleOf(one)))
      // The server hears of it otherwise: should the buyer cancel, it would look as it did when it was last sent.
      await forgetSent(
        cache,
        sold.map(({ key }) => key),
      )
      return put(deps, await goOnChecking(deps, platform, { ...moved, sold: (run.sold ?? 0) + sold.length }, last))
    }
    // What the server has as it is now needs no second telling.
    const changed = read.filter((one) => one.sent_hash !== one.content_hash).map(({ listing }) => listing)
    await addToOutbox(cache, moved, { listings: changed, failures }, last)
    return put(deps, { ...moved, state: last ? 'read' : 'reading', driver: last ? null : run.driver })
  })
}

/** Returns the faults of a finished run as a whole that `told` does not name already. */
function problemsOf(run: Run, told: readonly ListingFailure[]): ListingFailure[] {
  const changed = { platform: platformOf(run.platform)?.name ?? run.platform, what: 'page' } as const
  const isTold = [...told, ...(run.problems ?? [])].some(
    (one) => typeof one === 'string' || isJobFailure(one.listing_id),
  )
  const unread = run.page_unread || told.some(({ field }) => field === 'listings')
  return [...(unread && !isTold ? [partUnread(changed)] : []), ...fieldFailures(run.fields ?? {}, run.read, changed)]
}

/** Where a check stands after an answer: lists that were not understood tell nothing of what is missing in them. */
async function goOnChecking(deps: Deps, platform: ScrapePlatform, run: Run, last: boolean): Promise<Run> {
  if (!last) return run
  if (run.looking && run.failed > 0) {
    const message = 'The list of what is for sale was not understood.'
    return { ...run, state: 'stopped', stop: { reason: 'page_changed', message }, driver: null }
  }
  // A look at one listing has read no lists, and misses nothing in them.
  const more = run.looking || run.asked !== undefined ? await goOnWithMissing(deps, platform, run) : null
  return more ? { ...run, ...more, looking: false } : { ...run, state: 'sent', looking: false, driver: null }
}

/** What a list shows is there, whatever it was before, and missed from now on when it is there no more. */
async function noteSeen({ cache, now }: Deps, run: Run, refs: ListingRef[]): Promise<void> {
  await unseen(cache, run, refs)
  const known = await cache.listings.bulkGet(refs.map(({ listing_id }) => `${run.platform}:${listing_id}`))
  const back = known.flatMap((one) => (one?.gone ? [{ ...one, gone: 0 }] : []))
  await cache.listings.bulkPut(back)
  if (!run.ours_only) await keepUnread(cache, { platform: run.platform, shop: run.username, now: now() }, refs)
}

/**
 * What was asked for by itself and not read comes last the next time. One that is gone is no sale, and no longer what the
 * server took: should it come back, it is sent again.
 */
async function noteUnread(
  { cache, now }: Deps,
  run: Run,
  failures: readonly { listing_id: string }[],
  gone: readonly string[],
): Promise<void> {
  const ids = [...new Set([...failures.map(({ listing_id }) => listing_id), ...gone])]
  const known = await cache.listings.bulkGet(ids.map((id) => `${run.platform}:${id}`))
  const tried = known.flatMap((one) => {
    if (!one) return []
    const read_at = now()
    return gone.includes(one.listing_id)
      ? [{ ...one, read_at, sent_hash: null, gone: (one.gone ?? 0) + 1 }]
      : [{ ...one, read_at }]
  })
  await cache.listings.bulkPut(tried)
}

function saleOf({ key, platform, shop, listing_id, read_at }: CachedListing): SeenSale {
  return { key, platform, shop, listing_id, seen_at: read_at }
}

/** Leaves out what this run has taken before, and remembers the rest. */
async function unseen<T extends { listing_id: string }>(cache: Cache, run: Run, entries: T[]): Promise<T[]> {
  const once = [...new Map(entries.map((entry) => [`${run.id}:${entry.listing_id}`, entry])).entries()]
  const seen = await cache.seen.bulkGet(once.map(([key]) => key))
  const fresh = once.filter((_, index) => seen[index] === undefined)
  await cache.seen.bulkAdd(fresh.map(([key]) => ({ key, run_id: run.id })))
  return fresh.map(([, entry]) => entry)
}

function isDue(run: Run, step: number): boolean {
  return run.state === 'reading' && run.step === step
}

async function put(deps: Deps, run: Run): Promise<Run> {
  const changed = { ...run, updated_at: deps.now() }
  await deps.cache.runs.put(changed)
  return changed
}
