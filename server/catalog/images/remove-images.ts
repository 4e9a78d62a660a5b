import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/** Matches an address of a stored image, whatever the server's own address was when it was saved. */
const imageInAddress = /\/images\/(img_[0-9A-Za-z]{22})\//

/** Returns the uid of the image that an address may name; null for other addresses. */
export const imageUidOf = (address: string): string | null => imageInAddress.exec(address)?.[1] ?? null

/**
 * Removes the images behind the addresses that a deleted item had, unless another item of the account uses them. Their
 * files follow within a minute.
 */
export async function removeImagesOf(tx: Queries, user_id: number, addresses: readonly string[]): Promise<void> {
  const uids = addresses.flatMap((address) => imageUidOf(address) ?? [])
  if (uids.length > 0) await removeUnusedImages(tx, user_id, uids)
}

/** Removes those of these images that no item uses. Returns how many. */
export async function removeUnusedImages(tx: Queries, user_id: number, uids: readonly string[]): Promise<number> {
  return (await tx.any(sql.removeUnused({ user_id, uids }))).length
}
