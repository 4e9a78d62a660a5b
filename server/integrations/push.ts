import type { IncomingHttpHeaders } from 'node:http'
import type { OAuthSlug } from '#shared/platforms.ts'

/** A push as it arrived, with the exact bytes that its signature covers. */
export interface PushRequest {
  body: Buffer
  headers: IncomingHttpHeaders
  /** The sender's address as rate limits count it. */
  address: string
}

/** A push from a platform. Only ids are read from it: it is a hint, never a fact. */
export type Push =
  | {
      topic: 'order'
      message_id: string
      /** The shop of the order, by its id or its name on the platform. */
      shop: { external_id: string | null; external_name: string | null }
      /** Null when the push names no order: then the whole shop is read. */
      external_order_id: string | null
      external_line_ids: string[]
    }
  | {
      /** Listings of the shop changed on the platform. */
      topic: 'listing'
      message_id: string
      shop: { external_id: string | null; external_name: string | null }
    }
  | {
      /** The seller revoked the consent on the platform. */
      topic: 'revocation'
      message_id: string
      shop: { external_id: string | null; external_name: string | null }
    }
  | {
      topic: 'account_deletion'
      message_id: string
      /** The user whose data must be erased. */
      subject: { external_id: string | null; external_name: string | null }
    }
  | { topic: 'other'; message_id: string; name: string }

/** Reads pushes of one platform. */
export interface PushPort {
  readonly slug: OAuthSlug
  /**
   * Returns a push after verifying its signature. Throws PushRefused for a forged, altered or expired one, and
   * PlatformError when the verification needs the platform and it does not answer.
   */
  read(request: PushRequest): Promise<Push>
}

/** A push that is forged, altered or too old. The reason is for the log only. */
export class PushRefused extends Error {
  override name = 'PushRefused'
}
