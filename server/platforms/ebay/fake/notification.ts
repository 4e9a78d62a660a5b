import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { type FakeAnswer, type FakeRequest, json } from '../../fake/answer.ts'
import { createPushSender } from '../../fake/send-push.ts'
import { restError } from './answer.ts'
import type { Grants } from './grants.ts'
import type { FakeSeller } from './item.ts'
import type { FakeOrder } from './orders.ts'

const keyPath = '/commerce/notification/v1/public_key/'

export interface NotificationDesk {
  /** Answers the key that pushes are signed with; null for other paths. */
  answer(request: FakeRequest): FakeAnswer | null
  /** Tells the application of a purchase, line by line. */
  confirmOrder(order: FakeOrder, seller: FakeSeller): void
  close(): void
}

/**
 * eBay's Notification API as far as an application sees it: ORDER_CONFIRMATION, signed by a key of the sandbox's own that
 * is made at each start. `url` null: nobody has asked to be told.
 */
export function createNotificationDesk(given: { url: string | null; grants: Grants; clock: () => Date }) {
  const { grants, clock } = given
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const kid = randomUUID()
  const sender = given.url === null ? null : createPushSender(given.url)

  const desk: NotificationDesk = {
    answer({ method, path, header }) {
      if (method !== 'GET' || !path.startsWith(keyPath)) return null
      if (!grants.isApplication(header('authorization').replace(/^Bearer /, ''))) {
        return restError(401, 1001, 'Invalid access token')
      }
      if (path.slice(keyPath.length) !== kid) return restError(404, 195_001, 'The public key was not found.')
      // As eBay does it: the PEM in one line.
      const key = publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', '')
      return json({ algorithm: 'ECDSA', digest: 'SHA1', key })
    },

    confirmOrder({ orderId, createdAt, lines }, { userId, username }) {
      for (const line of lines) {
        const body = JSON.stringify({
          metadata: { topic: 'ORDER_CONFIRMATION', schemaVersion: '1.0', deprecated: false },
          notification: {
            notificationId: randomUUID(),
            eventDate: createdAt,
            publishDate: clock().toISOString(),
            publishAttemptCount: 1,
            data: {
              user: { userId, username },
              order: {
                orderId,
                orderLineItems: [{ orderLineItemId: line.lineItemId, listingId: line.itemId, quantity: line.quantity }],
              },
            },
          },
        })
        const signature = createSign('sha1').update(body).sign(privateKey, 'base64')
        const header = JSON.stringify({ alg: 'ecdsa', kid, signature, digest: 'SHA1' })
        sender?.send({ body, headers: { 'x-ebay-signature': Buffer.from(header).toString('base64') } })
      }
    },

    close: () => sender?.close(),
  }
  return desk
}
