import { createHash, verify } from 'node:crypto'
import { z } from 'zod'
import { jsonOf } from '#server/integrations/http.ts'
import { type Push, type PushPort, PushRefused } from '#server/integrations/push.ts'
import { createPushKeys, type PushKeyOptions } from './push-keys.ts'

const text = z.string().min(1).max(200)

const SignatureHeader = z.looseObject({
  alg: z.string().max(20).optional(),
  kid: z.string().regex(/^[\w-]{1,100}$/),
  signature: z.string().min(8).max(1_000),
})

const Envelope = z.looseObject({
  metadata: z.looseObject({ topic: z.string().max(100) }),
  notification: z.looseObject({ notificationId: text, data: z.looseObject({}) }),
})

const OrderData = z.looseObject({
  user: z.looseObject({ userId: text.optional(), username: text.optional() }).optional(),
  order: z.looseObject({
    orderId: text,
    orderLineItems: z
      .array(z.looseObject({ orderLineItemId: text }))
      .max(500)
      .optional(),
  }),
})

/** Data of MARKETPLACE_ACCOUNT_DELETION and AUTHORIZATION_REVOCATION, which name a user. */
const UserData = z.looseObject({ userId: text.optional(), username: text.optional() })

/**
 * Creates the reader of eBay's pushes. `X-EBAY-SIGNATURE` is base64 of JSON with a key id and an ECDSA
 * signature of the raw body. A push has no time limit, because eBay repeats it for days. Its id makes it count once.
 */
export function createEbayPush(options: PushKeyOptions): PushPort {
  const keyOf = createPushKeys(options)
  return {
    slug: 'ebay',
    async read({ body, headers, address }) {
      const header = readHeader(headers['x-ebay-signature'])
      const key = await keyOf(header.kid, address)
      if (!key) throw new PushRefused('the key that it names is not known')
      if (!isSigned(body, header.signature, key)) throw new PushRefused('its signature is wrong')
      return parsePush(body)
    },
  }
}

function readHeader(value: string | string[] | undefined): z.output<typeof SignatureHeader> {
  const decoded =
    typeof value === 'string' && value.length <= 5_000
      ? jsonOf(Buffer.from(value, 'base64').toString('utf8'))
      : undefined
  const parsed = SignatureHeader.safeParse(decoded)
  if (!parsed.success) throw new PushRefused('it has no signature that can be read')
  return parsed.data
}

function isSigned(
  body: Buffer,
  signature: string,
  { key, digest }: { key: Parameters<typeof verify>[2]; digest: string },
) {
  try {
    return verify(digest, body, key, Buffer.from(signature, 'base64'))
  } catch {
    // `verify` throws for bytes that are not a signature at all.
    return false
  }
}

function parsePush(body: Buffer): Push {
  const envelope = Envelope.safeParse(jsonOf(body.toString('utf8')))
  if (!envelope.success) {
    return { topic: 'other', message_id: createHash('sha256').update(body).digest('hex'), name: 'not understood' }
  }
  const { metadata, notification } = envelope.data
  const message_id = notification.notificationId
  if (metadata.topic === 'ORDER_CONFIRMATION') {
    const data = OrderData.safeParse(notification.data)
    if (!data.success) return { topic: 'other', message_id, name: `${metadata.topic}, not understood` }
    const { user, order } = data.data
    return {
      topic: 'order',
      message_id,
      shop: { external_id: user?.userId ?? null, external_name: user?.username ?? null },
      external_order_id: order.orderId,
      external_line_ids: (order.orderLineItems ?? []).map((line) => line.orderLineItemId),
    }
  }
  if (metadata.topic === 'MARKETPLACE_ACCOUNT_DELETION' || metadata.topic === 'AUTHORIZATION_REVOCATION') {
    const data = UserData.safeParse(notification.data)
    if (!data.success) return { topic: 'other', message_id, name: `${metadata.topic}, not understood` }
    const user = { external_id: data.data.userId || null, external_name: data.data.username || null }
    return metadata.topic === 'AUTHORIZATION_REVOCATION'
      ? { topic: 'revocation', message_id, shop: user }
      : { topic: 'account_deletion', message_id, subject: user }
  }
  return { topic: 'other', message_id, name: metadata.topic }
}

/** Returns the proof that the endpoint is ours: hex of SHA-256 over code, verification token and endpoint. */
export function challengeResponse(challengeCode: string, verificationToken: string, endpointUrl: string): string {
  return createHash('sha256').update(challengeCode).update(verificationToken).update(endpointUrl).digest('hex')
}
