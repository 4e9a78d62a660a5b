import { sql } from '#server/db/index.ts'
import { notFound, problem } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

const lock = sql(import.meta.url, './sql/lock-item.sql')
const findLive = sql(import.meta.url, './sql/find-live.sql')
const remove = sql(import.meta.url, './sql/delete-item.sql')

/** Deletes an item that is live nowhere (decisions 7). Throws 409 `still_listed` for one that is. */
export async function deleteItem(services: Services, item: { user_id: number; uid: string }): Promise<void> {
  await services.db.tx('delete-item', async (tx) => {
    if (!(await tx.oneOrNone(lock, item))) throw notFound()
    const { platform } = await tx.one<{ platform: PlatformSlug | null }>(findLive, item)
    if (platform)
      throw problem('still_listed', `The item is still live on ${platformOf(platform).name}: take it down first.`)
    await tx.none(remove, item)
  })
}
