import { z } from 'zod'
import { CataloguePlatform, getCatalogue } from '#shared/contract/extension.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import type { WorkerContext } from './context.ts'
import { keepFor } from './session/keep-for.ts'
import { readSession } from './session/session.ts'
import type { Store } from './session/store.ts'

/** What the server last said about reading; before it said anything, all is on. */
const Kept = z
  .object({ at: z.number(), version: z.string(), platforms: z.array(CataloguePlatform) })
  .catch({ at: 0, version: '', platforms: [] })

/** How old it may be, in milliseconds: while nothing happens, and when an import begins. */
export const catalogueAgesMs = { idle: 15 * 60_000, atImport: 60_000 }

/** True when the operator has turned the reading of a platform off for this version. */
export async function isReadingOff(
  context: Pick<WorkerContext, 'store' | 'version'>,
  slug: ExtensionSlug,
): Promise<boolean> {
  return (await readingOff(context)).includes(slug)
}

/** The platforms that this version must not read. What was said to an earlier version does not count. */
export async function readingOff({
  store,
  version,
}: Pick<WorkerContext, 'store' | 'version'>): Promise<ExtensionSlug[]> {
  const kept = await readKept(store)
  if (kept.version !== version) return []
  return kept.platforms.filter(({ reading }) => !reading).map(({ slug }) => slug)
}

/** Asks the server again when what it said is older than `maxAgeMs`. No answer changes nothing, and is no error here. */
export async function refreshCatalogue(context: WorkerContext, maxAgeMs: number): Promise<void> {
  const kept = await readKept(context.store)
  const { version } = context
  if (kept.version === version && context.now() - kept.at < maxAgeMs) return
  const session = await readSession(context.store)
  if (session?.status !== 'active') return
  try {
    const { platforms } = await context.clientOf(session)(getCatalogue, { query: { version } })
    await keepFor(context, session, 'catalogue', { at: context.now(), version, platforms })
  } catch {
    // Whatever it is, the next request to the server tells it; until then the last word stands.
  }
}

async function readKept(store: Store): Promise<z.infer<typeof Kept>> {
  return Kept.parse(await store.get('catalogue'))
}
