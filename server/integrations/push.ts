import type { IncomingHttpHeaders } from 'node:http'
import type { OAuthSlug } from '#shared/platforms.ts'

/** A push as it came: the exact bytes, which its signature covers. */
export interface PushRequest {
  body: Buffer
  headers: IncomingHttpHeaders
  /** The sender's address as limits count it (client-address.ts). */
  address: string
}

/** What a platform tells us by itself. Only ids are taken from it: it is a hint, never a fact. */
export type Push =
  | {
      topic: 'order'
      message_id: string
      /** Whose order: the shop's id there, or its name. */
      shop: { external_id: string | null; external_name: string | null }
      /** Null when the push names none: then the whole shop is read. */
      external_order_id: string | null
      external_line_ids: string[]
    }
  | {
      /** Listings of the shop changed there. */
      topic: 'listing'
      message_id: string
      shop: { external_id: string | null; external_name: string | null }
    }
  | {
      /** The seller withdrew the consent there. */
      topic: 'revocation'
      message_id: string
      shop: { external_id: string | null; external_name: string | null }
    }
  | {
      topic: 'account_deletion'
      message_id: string
      /** Whose data is to be erased. */
      subject: { external_id: string | null; external_name: string | null }
    }
  | { topic: 'other'; message_id: string; name: string }

/** Reading pushes of one platform. */
export interface PushPort {
  readonly slug: OAuthSlug
  /**
   * What the push says, once its signature is proven. Throws PushRefused when it is not the platform's, and PlatformError
   * when the platform's own help is needed for that and cannot be had.
   */
  read(request: PushRequest): Promise<Push>
}

/** A push that is not the platform's, was altered, or is too old. The reason is for the log only. */
export class PushRefused extends Error {
  override name = 'PushRefused'
}
