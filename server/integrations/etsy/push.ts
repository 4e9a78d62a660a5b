import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { jsonOf } from '../http.ts'
import { type Push, type PushPort, PushRefused, type PushRequest } from '../push.ts'

/** Maximum difference between the time of a push and ours (Standard Webhooks). */
const toleranceMs = 5 * 60_000

const id = z.union([z.int().positive().transform(String), z.string().regex(/^\d{1,20}$/)])
const Body = z.looseObject({
  event_type: z.string().max(100),
  resource_url: z.string().max(2_000).optional(),
  shop_id: id.optional(),
})

/**
 * Creates the reader of Etsy's pushes, which are signed as in Standard Webhooks with the endpoint's
 * secret. `resource_url` is never called; only the ids in its path are read. The library of Standard Webhooks is not
 * used: it decodes the body before signing, so altered bytes may pass, and it reads the system's clock.
 */
export function createEtsyPush(options: { secret: string | undefined; now: () => Date }): PushPort {
  const keys = options.secret ? secretBytes(options.secret) : []
  return {
    slug: 'etsy',
    async read(request) {
      if (keys.length === 0) throw new PushRefused('ETSY_WEBHOOK_SECRET is not set')
      const message_id = verify(request, keys, options.now())
      return parsePush(request.body, message_id)
    },
  }
}

/** Returns the possible secrets: base64 after `whsec_`, or else both base64 and the text itself. */
function secretBytes(secret: string): Buffer[] {
  if (secret.startsWith('whsec_')) return [Buffer.from(secret.slice(6), 'base64')]
  return [Buffer.from(secret, 'base64'), Buffer.from(secret, 'utf8')].filter((bytes) => bytes.length > 0)
}

function verify({ body, headers }: PushRequest, keys: Buffer[], now: Date): string {
  const messageId = headerOf(headers['webhook-id'])
  const timestamp = headerOf(headers['webhook-timestamp'])
  if (!messageId || messageId.length > 200 || !/^\d{1,12}$/.test(timestamp)) {
    throw new PushRefused('its headers are missing or malformed')
  }
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > toleranceMs)
    throw new PushRefused('it is too old or too new')
  const wanted = keys.map((key) => createHmac('sha256', key).update(`${messageId}.${timestamp}.`).update(body).digest())
  const given = headerOf(headers['webhook-signature'])
    .split(' ')
    .slice(0, 10)
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
  const isValid = (signature: Buffer) =>
    wanted.some((digest) => signature.length === digest.length && timingSafeEqual(signature, digest))
  if (!given.some(isValid)) {
    throw new PushRefused('its signature is wrong')
  }
  return messageId
}

/** Returns the id of a resource in a path: 12 of `shops` in `/shops/12/receipts/3`. Null if there is none. */
function idIn(path: string, resources: string): string | null {
  const parts = path.split('/')
  const id = parts[parts.indexOf(resources) + 1] ?? ''
  return /^\d{1,20}$/.test(id) ? id : null
}

function parsePush(body: Buffer, message_id: string): Push {
  const parsed = Body.safeParse(jsonOf(body.toString('utf8')))
  if (!parsed.success) return { topic: 'other', message_id, name: 'not understood' }
  const { event_type, resource_url, shop_id } = parsed.data
  const path = URL.parse(resource_url ?? '')?.pathname ?? ''
  if (/^(listing|inventory)\./.test(event_type)) {
    const shop = shop_id ?? idIn(path, 'shops')
    return { topic: 'listing', message_id, shop: { external_id: shop, external_name: null } }
  }
  if (!event_type.startsWith('order.')) return { topic: 'other', message_id, name: event_type }
  const named = idIn(path, 'shops')
  const shop = shop_id ?? named
  return {
    topic: 'order',
    message_id,
    shop: { external_id: shop, external_name: null },
    // Ignore the receipt if the address names another shop than the push.
    external_order_id: named !== null && named === shop ? idIn(path, 'receipts') : null,
    external_line_ids: [],
  }
}

const headerOf = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')
