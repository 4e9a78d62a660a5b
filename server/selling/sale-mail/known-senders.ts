import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

const subjectOf = (network: string) => `mails-from:${network}`

/** Remembers for a month that a network has brought a believed mail. */
export async function rememberSender(queries: Queries, network: string): Promise<void> {
  await queries.none(sql.rememberSender({ subject: subjectOf(network) }))
}

/** Returns whether a network has brought a believed mail in the last month. */
export async function isKnownSender(queries: Queries, network: string): Promise<boolean> {
  const known = await queries.oneOrNone(sql.readMailQuota({ subject: subjectOf(network) }))
  return known !== null && known.ahead > 0
}
