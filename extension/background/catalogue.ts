import { z } from 'zod'
import { CataloguePlatform, getCatalogue } from '#shared/contract/extension.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import type { WorkerContext } from './context.ts'
import { readSession } from './session/session.ts'
import type { Store } from './session/store.ts'
import { storeForSession } from './session/store-for-session.ts'

/** The server's last catalogue. Reading is on until the server says otherwise. */
const Kept = z
  .object({ at: z.number(), version: z.string(), platforms: z.array(CataloguePlatform) })
  .catch({ at: 0, version: '', platforms: [] })

/** Maximum age in ms: when idle, and when an import begins. */
export const catalogueAgesMs = { idle: 15 * 60_000, atImport: 60_000 }

/** Returns true if the operator has paused reading a platform for this version. */
export async function isReadingOff(
  context: Pick<WorkerContext, 'store' | 'version'>,
  slug: ExtensionSlug,
): Promise<boolean> {
  return (await readingOff(context)).includes(slug)
}

/** Returns the platforms that this version must not read. Ignores catalogues for earlier versions. */
export async function readingOff({
  store,
  version,
}: Pick<WorkerContext, 'store' | 'version'>): Promise<ExtensionSlug[]> {
  const kept = await readKept(store)
  if (kept.version !== version) return []
  return kept.platforms.filter(({ reading }) => !reading).map(({ slug }) => slug)
}

/** Fetches the catalogue if it is older than `maxAgeMs`. Errors keep the last one. */
export async function refreshCatalogue(context: WorkerContext, maxAgeMs: number): Promise<void> {
  const kept = await readKept(context.store)
  const { version } = context
  if (kept.version === version && context.now() - kept.at < maxAgeMs) return
  const session = await readSession(context.store)
  if (session?.status !== 'active') return
  try {
    const { platforms } = await context.clientOf(session)(getCatalogue, { query: { version } })
    await storeForSession(context, session, 'catalogue', { at: context.now(), version, platforms })
  } catch {
    // The next request reports the problem. Until then the last catalogue applies.
  }
}

async function readKept(store: Store): Promise<z.infer<typeof Kept>> {
  return Kept.parse(await store.get('catalogue'))
}
