import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { createPushSender } from '../kit/push-sender.ts'
import type { SandboxReceipt } from './receipt.ts'

/** An endpoint as added in Etsy's webhook portal: address, secret (base64 after `whsec_`) and events. */
export interface WebhookTarget {
  url: string
  secret: string
  events: string[]
}

export interface Webhooks {
  emit(event: string, receipt: SandboxReceipt): void
  close(): void
}

/**
 * Creates Etsy's order webhooks, signed by Standard Webhooks. Etsy sends the chosen events of shops that gave consent.
 * `target` null: no endpoint.
 */
export function createWebhooks(
  target: WebhookTarget | null,
  given: { clock: () => Date; hasConsent: (shopId: number) => boolean },
): Webhooks {
  if (!target) return { emit: () => {}, close: () => {} }
  const signer = new Webhook(Buffer.from(target.secret.replace(/^whsec_/, ''), 'base64'), { format: 'raw' })
  const sender = createPushSender(target.url)
  return {
    emit(event_type, { shopId, receiptId }) {
      if (!target.events.includes(event_type) || !given.hasConsent(shopId)) return
      const resource_url = `https://openapi.etsy.com/v3/application/shops/${shopId}/receipts/${receiptId}`
      const body = JSON.stringify({ event_type, resource_url, shop_id: shopId })
      const [id, at] = [`msg_${randomUUID()}`, given.clock()]
      const timestamp = String(Math.floor(at.getTime() / 1_000))
      sender.send({
        body,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signer.sign(id, at, body),
        },
      })
    },
    close: sender.close,
  }
}
