import type { Logger } from 'pino'
import { observe } from '#server/infra/observed.ts'

/** Events for the operator. Others, such as edits of items, would drown them. */
const logged = /^(sale|oversell|listing|connection|import)\./

/** Logged members of an event, none of which names a person. */
const loggedFields = [
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

/** Logs each committed sale, take-down, listing, connection and import. Returns a function that ends this. */
export function logEvents(log: Logger): () => void {
  return observe('event', ({ user_id, type, item_uid, data }) => {
    if (!logged.test(type)) return
    const about = Object.fromEntries(
      loggedFields.filter((name) => data[name] != null).map((name) => [name, data[name]]),
    )
    if (type.startsWith('import.')) Object.assign(about, { job_uid: data.id, platform: data.marketplace })
    log.info({ event: type, user_id, item_uid: item_uid ?? undefined, ...about }, words(type))
  })
}

/** `listing.delist_overdue`: "listing delist overdue". */
const words = (type: string) => type.replaceAll(/[._]/g, ' ')
