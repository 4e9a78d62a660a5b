import type { Queries } from '#server/infra/db/index.ts'
import { newId } from '#shared/identity.ts'
import { findPlatform } from '#shared/platforms.ts'
import * as sql from '../queries.ts'

interface Question {
  user_id: number
  platform: string | null
  /** The row of the mail. */
  uid: string
  title: string | null
  /** The items that may be sold; none where Hapax knows of none. */
  item_uids: string[]
}

/** Raises the alert that asks which item was sold, with the pictures of those that it may be. */
export async function askSeller(tx: Queries, { user_id, platform, uid, title, item_uids }: Question): Promise<void> {
  const candidates = await tx.any(sql.listCandidates({ user_id, uids: item_uids }))
  const where = (platform && findPlatform(platform)?.name) ?? 'a marketplace'
  const what = title === null ? 'An item of a bundle' : `"${title}"`
  const message =
    candidates.length > 0
      ? `${what} was sold on ${where}, and ${candidates.length} of your items fit. Nothing is held until you say which it is.`
      : `${what} was sold on ${where}, and Hapax knows no such listing. Take down its other listings yourself.`
  await tx.none(
    sql.insertAlert({
      ...{ user_id, uid: newId('alm'), platform, reference: uid, message },
      data: JSON.stringify({ sale_mail_uid: uid, candidates }),
    }),
  )
}
