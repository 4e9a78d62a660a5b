import type { Logger } from 'pino'
import { observe } from '#server/infra/observed.ts'

/** Events that an operator looks for. Others, such as edits of items, would drown them. */
const logged = /^(sale|oversell|listing|connection|import)\./

/** Members of an event that say what it is about, and name no person. */
const told = [
  'platform',
  'seller_account_uid',
  'listing_id',
  'order_uid',
  'cause',
  'action',
  'kind',
  'status',
  'items_imported',
  'items_skipped',
  'items_failed',
  'items_conflicted',
]

/** Writes one line for each sale, take-down, listing, connection and import once it is committed; returns what ends that. */
export function logEvents(log: Logger): () => void {
  return observe('event', ({ user_id, type, item_uid, data }) => {
    if (!logged.test(type)) return
    const about = Object.fromEntries(told.filter((name) => data[name] != null).map((name) => [name, data[name]]))
    if (type.startsWith('import.')) Object.assign(about, { job_uid: data.id, platform: data.marketplace })
    log.info({ event: type, user_id, item_uid: item_uid ?? undefined, ...about }, words(type))
  })
}

/** `listing.delist_overdue`: "listing delist overdue". */
const words = (type: string) => type.replaceAll(/[._]/g, ' ')
