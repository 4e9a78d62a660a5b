import { createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** eBay's key endpoint with its application token, over HTTP on 127.0.0.1. */
export interface EbayKeyServer {
  url: string
  /** Requested paths. */
  asked: string[]
  /** Answers 503 to everything. */
  down: boolean
  /** Issues a new key pair under a new id. */
  issue(): { kid: string; privateKey: KeyObject }
  close(): Promise<void>
}

export async function startEbayKeys(): Promise<EbayKeyServer> {
  const keys = new Map<string, string>()
  const server = createServer((request, response) => {
    keyServer.asked.push(request.url ?? '')
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (keyServer.down) return reply(503, {})
    if (request.url === '/identity/v1/oauth2/token') {
      return reply(200, { access_token: 'app-token', expires_in: 7_200, token_type: 'Application Access Token' })
    }
    if (request.headers.authorization !== 'Bearer app-token') return reply(401, { errors: [{ errorId: 1001 }] })
    const pem = keys.get((request.url ?? '').split('/').at(-1) ?? '')
    if (!pem) return reply(404, { errors: [{ errorId: 195_001 }] })
    // eBay sends the PEM in one line.
    return reply(200, { algorithm: 'ECDSA', digest: 'SHA1', key: pem.replaceAll('\n', '') })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const keyServer: EbayKeyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    down: false,
    issue() {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      const kid = randomUUID()
      keys.set(kid, publicKey.export({ type: 'spki', format: 'pem' }).toString())
      return { kid, privateKey }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return keyServer
}

/** Returns the X-EBAY-SIGNATURE header over these bytes. */
export function signEbay(body: string, { kid, privateKey }: { kid: string; privateKey: KeyObject }): string {
  const signature = createSign('sha1').update(body).sign(privateKey, 'base64')
  return Buffer.from(JSON.stringify({ alg: 'ecdsa', kid, signature, digest: 'SHA1' })).toString('base64')
}

/** Builds an ORDER_CONFIRMATION notification. */
export function ebayOrderPush(given: { userId: string; orderId: string; lines?: string[]; id?: string }): string {
  return JSON.stringify({
    metadata: { topic: 'ORDER_CONFIRMATION', schemaVersion: '1.0', deprecated: false },
    notification: {
      notificationId: given.id ?? randomUUID(),
      eventDate: '2026-06-29T22:24:03.168Z',
      publishDate: '2026-06-29T22:24:03.294Z',
      publishAttemptCount: 1,
      data: {
        user: { userId: given.userId, username: `name of ${given.userId}` },
        order: {
          orderId: given.orderId,
          orderLineItems: (given.lines ?? ['1']).map((orderLineItemId) => ({
            orderLineItemId,
            listingId: '278000000001',
            quantity: 1,
          })),
        },
      },
    },
  })
}

/** Builds a MARKETPLACE_ACCOUNT_DELETION notification. */
export function ebayDeletionPush(given: { userId: string; id?: string }): string {
  return JSON.stringify({
    metadata: { topic: 'MARKETPLACE_ACCOUNT_DELETION', schemaVersion: '1.0', deprecated: false },
    notification: {
      notificationId: given.id ?? randomUUID(),
      eventDate: '2026-06-29T22:24:03.168Z',
      publishDate: '2026-06-29T22:24:03.294Z',
      publishAttemptCount: 1,
      data: {
        username: `name of ${given.userId}`,
        userId: given.userId,
        eiasToken: 'nY+sHZ2PrBmdj6wVnY+sEZ2PrA2dj6wJ',
      },
    },
  })
}

/** Builds an AUTHORIZATION_REVOCATION notification. */
export function ebayRevocationPush(given: { userId: string; id?: string }): string {
  return JSON.stringify({
    metadata: { topic: 'AUTHORIZATION_REVOCATION', schemaVersion: '1.0', deprecated: false },
    notification: {
      notificationId: given.id ?? randomUUID(),
      eventDate: '2026-06-29T22:24:03.168Z',
      publishDate: '2026-06-29T22:24:03.294Z',
      publishAttemptCount: 1,
      data: {
        username: `name of ${given.userId}`,
        userId: given.userId,
        eiasToken: 'nY+sHZ2PrBmdj6wVnY+sEZ2PrA2dj6wJ',
        revokeReason: 'REVOKED_BY_USER',
        revocationDate: '2026-06-29T22:24:03.168Z',
      },
    },
  })
}
