import { decodePicture } from '#server/http/outbound/decode-picture.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { type FetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'
import type { TaskPicture } from '#shared/contract/selling/tasks.ts'
import * as sql from './queries.ts'

/** Longest side in pixels of a picture that is converted to JPEG. */
const maxSide = 4_000

/**
 * Returns the n-th picture (from 0) of the item that an open task is to list. The extension puts it into the sell form
 * as a file, which a page could not fetch from a platform's picture host. JPEG and PNG, which every sell form takes,
 * stay as they are; others become JPEG. Throws 404 for an unknown task or picture, 502 for a picture that cannot be
 * fetched.
 */
export async function readTaskPicture(
  queries: Queries,
  fetchPicture: FetchPicture,
  { user_id, uid, n }: { user_id: number; uid: string; n: number },
  signal?: AbortSignal,
): Promise<TaskPicture> {
  const found = await queries.oneOrNone(sql.getTaskPicture({ user_id, uid, n }))
  if (!found?.url) throw notFound()
  try {
    const { bytes, type } = await fetchPicture(found.url, signal)
    if (type === 'image/jpeg' || type === 'image/png') return { type, data: bytes.toString('base64') }
    return { type: 'image/jpeg', data: (await toJpeg(bytes, user_id, signal)).toString('base64') }
  } catch (error) {
    if (error instanceof PictureError) throw problem('platform_failed', error.message, { cause: error })
    throw error
  }
}

async function toJpeg(bytes: Buffer, user_id: number, gone?: AbortSignal): Promise<Buffer> {
  try {
    const { result } = await decodePicture(
      bytes,
      user_id,
      (picture) =>
        picture.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }).jpeg({ quality: 92 }).toBuffer(),
      gone,
    )
    return result
  } catch (cause) {
    gone?.throwIfAborted()
    // sharp throws plain errors that describe the input.
    throw new PictureError('A picture could not be decoded.', false, { cause })
  }
}
