import type { Transaction } from '#server/infra/db/index.ts'
import { runHooks } from '#server/integrations/connections/hooks.ts'
import type { PublishRequest } from '#server/integrations/port.ts'
import type { ReadBack, SentListing } from '#server/integrations/read-back.ts'
import type { LeasedOperation } from './leased-operation.ts'

/** Returns all of a new listing as what was sent. */
export function sentOf(request: PublishRequest, photo_ids?: readonly string[]): SentListing {
  const { title, description, images, condition, price_minor, currency } = request
  const content = { title, description, images, condition }
  return { content, fields: ['title', 'description', 'images'], price: { price_minor, currency }, request, photo_ids }
}

/** Reads a listing with one call, and compares it with what was sent if that is known. */
export function readListing(leased: LeasedOperation, listing_id: string, sent: SentListing | null): Promise<ReadBack> {
  return leased.onPlatform(async (port, access) => {
    if (sent && port.readBack) return port.readBack(access, listing_id, sent)
    return { state: await port.readState(access, listing_id), listing: null, compared: [], changes: [] }
  })
}

/** Hands on what the platform keeps otherwise than it was sent, in the transaction that ends the operation. */
export function passOn(
  { services, operation }: LeasedOperation,
  tx: Transaction,
  listing_id: string,
  read: ReadBack | null,
): Promise<void> {
  if (!read?.listing) return Promise.resolve()
  return runHooks('readBack', services, tx, { ...operation, listing_id, read })
}
