import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type Push, type PushPort, PushRefused, type PushRequest } from '../push.ts'

/** How far the time of a push may be from ours (Standard Webhooks). */
const toleranceMs = 5 * 60_000

const id = z.union([z.int().positive().transform(String), z.string().regex(/^\d{1,20}$/)])
const Body = z.looseObject({
  event_type: z.string().max(100),
  resource_url: z.string().max(2_000).optional(),
  shop_id: id.optional(),
})

/**
 * Etsy's pushes (platforms 3a): signed in the manner of Standard Webhooks with the endpoint's secret. `resource_url` is
 * never called, whatever its host: the ids in its path are all that is read of it. The library of Standard
 * Webhooks is not used here: it decodes the body before it signs, so that other bytes pass, and reads the system's clock.
 */
export function createEtsyPush(options: { secret: string | undefined; now: () => Date }): PushPort {
  const keys = options.secret ? secretBytes(options.secret) : []
  return {
    slug: 'etsy',
    async read(request) {
      if (keys.length === 0) throw new PushRefused('ETSY_WEBHOOK_SECRET is not set')
      const message_id = verify(request, keys, options.now())
      return understand(request.body, message_id)
    },
  }
}

/** The secret's bytes: base64 after `whsec_`; without that mark it may be base64 or the text itself. */
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
  const fits = (signature: Buffer) =>
    wanted.some((digest) => signature.length === digest.length && timingSafeEqual(signature, digest))
  if (!given.some(fits)) {
    throw new PushRefused('its signature is wrong')
  }
  return messageId
}

function understand(body: Buffer, message_id: string): Push {
  const parsed = Body.safeParse(jsonOf(body))
  if (!parsed.success) return { topic: 'other', message_id, name: 'not understood' }
  const { event_type, resource_url, shop_id } = parsed.data
  const path = URL.parse(resource_url ?? '')?.pathname ?? ''
  if (/^(listing|inventory)\./.test(event_type)) {
    const shop = shop_id ?? /\/shops\/(\d{1,20})(?:\/|$)/.exec(path)?.[1] ?? null
    return { topic: 'listing', message_id, shop: { external_id: shop, external_name: null } }
  }
  if (!event_type.startsWith('order.')) return { topic: 'other', message_id, name: event_type }
  const named = /\/shops\/(\d{1,20})\/receipts\/(\d{1,20})\/?$/.exec(path)
  const shop = shop_id ?? named?.[1] ?? null
  return {
    topic: 'order',
    message_id,
    shop: { external_id: shop, external_name: null },
    // An address that names another shop than the push does says nothing about this one.
    external_order_id: named && named[1] === shop ? named[2]! : null,
    external_line_ids: [],
  }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const headerOf = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')
