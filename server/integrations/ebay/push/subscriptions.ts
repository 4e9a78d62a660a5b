import { z } from 'zod'
import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import type { NoticePort, NoticeTarget, OAuthPort, ShopAccess } from '#server/integrations/port.ts'
import type { ApplicationToken } from '../application-token.ts'
import { EbayRefusal, hasFault, type Rest } from '../rest.ts'

const base = '/commerce/notification/v1'

/** Topic of sales. Each seller has a subscription with the seller's token. */
const saleTopic = 'ORDER_CONFIRMATION'
/** Topic of withdrawn consents. The application has one subscription for all sellers. */
const revocationTopic = 'AUTHORIZATION_REVOCATION'

/** "Access denied" and "Not authorized for this topic": the seller's consent lacks the permission. */
const notAllowed = [1100, 195_011]
const destinationExists = 195_021
const subscriptionExists = 195_012
const destinationNotEnabled = 195_015

export const Destinations = z.object({
  destinations: z
    .array(
      z.object({
        destinationId: z.string().min(1),
        status: z.string().optional(),
        deliveryConfig: z.object({ endpoint: z.string().optional() }).nullish(),
      }),
    )
    .default([]),
})

export const Subscriptions = z.object({
  subscriptions: z
    .array(
      z.object({
        subscriptionId: z.string().min(1),
        topicId: z.string().optional(),
        status: z.string().optional(),
        destinationId: z.string().optional(),
      }),
    )
    .default([]),
})

interface SubscriptionOptions {
  rest: Rest
  application: Pick<ApplicationToken, 'read'>
  /** Returns the permission that the keyset lacks; null for none. */
  findMissingScope?: OAuthPort['findMissingScope']
  /** Monotonic milliseconds. */
  clock?: () => number
}

/**
 * Creates the port that subscribes sellers to notices of sales and withdrawn consents (Notification API). It sets up
 * the application's config, one destination and one subscription, then a subscription for each seller. Every call can
 * be repeated; existing objects are kept.
 */
export function createNoticePort(options: SubscriptionOptions): NoticePort {
  const { rest, application, clock = () => performance.now() } = options
  let destination: { key: string; id: string; untilMs: number } | null = null

  return {
    async ensure(access, target) {
      const subscribe = async () =>
        ensureSubscription(rest, access, saleTopic, await ensureDestination(target, access.signal))
      try {
        await subscribe().catch((error: unknown) => {
          if (!hasFault(error, destinationNotEnabled)) throw error
          // eBay marked it down since it was read.
          destination = null
          return subscribe()
        })
        return 'subscribed'
      } catch (error) {
        if (!isNotAllowed(error)) throw error
        const missing = await options.findMissingScope?.()
        if (!missing) return 'consent_needed'
        const words = `This server's keyset of eBay lacks the scope ${missing}. Ask eBay's developer support for it.`
        throw new PlatformError('ebay', 'unavailable', words, { platformCode: 'scope', cause: error })
      }
    },
  }

  /** Returns the id of the enabled destination for our endpoint, creating it if necessary. Cached for half an hour. */
  async function ensureDestination(target: NoticeTarget, signal: AbortSignal | undefined): Promise<string> {
    const key = JSON.stringify(target)
    if (destination && destination.key === key && destination.untilMs > clock()) return destination.id
    const own = { accessToken: await application.read(signal), signal }
    await rest({
      ...own,
      call: 'the config of notifications',
      method: 'PUT',
      path: `${base}/config`,
      body: { alertEmail: target.alertEmail },
    })
    const wanted = {
      name: 'Hapax',
      status: 'ENABLED',
      deliveryConfig: { endpoint: target.endpoint, verificationToken: target.verificationToken },
    }
    let found = await findDestination()
    if (!found) {
      await rest({
        ...own,
        call: 'the destination of notifications',
        method: 'POST',
        path: `${base}/destination`,
        body: wanted,
      }).catch((error: unknown) => {
        if (!hasFault(error, destinationExists)) throw error
      })
      found = await findDestination()
    } else if (found.status !== 'ENABLED') {
      // eBay marks an endpoint down that has not answered for long.
      await rest({
        ...own,
        call: 'the destination of notifications',
        method: 'PUT',
        path: `${base}/destination/${encodeURIComponent(found.destinationId)}`,
        body: wanted,
      })
    }
    if (!found) throw new PlatformError('ebay', 'malformed', 'eBay does not show the destination of notifications.')
    await ensureSubscription(rest, own, revocationTopic, found.destinationId).catch((error: unknown) => {
      // Sales matter more, whatever eBay refuses about this topic. A withdrawn consent shows at the next call anyway.
      if (!isNotAllowed(error) && !isFailure(error, 'refused') && !isFailure(error, 'not_found')) throw error
    })
    destination = { key, id: found.destinationId, untilMs: clock() + 1_800_000 }
    return found.destinationId

    async function findDestination() {
      const answer = await rest({
        ...own,
        call: 'the destinations of notifications',
        method: 'GET',
        path: `${base}/destination?limit=100`,
        schema: Destinations,
      })
      return answer?.destinations.find(({ deliveryConfig }) => deliveryConfig?.endpoint === target.endpoint)
    }
  }
}

/**
 * Creates a subscription, or enables the existing one at this destination. After a change of the server's address an
 * existing one still sends to the old address. It is created before reading the list, because eBay does not
 * document whether the list includes other users' subscriptions.
 */
async function ensureSubscription(
  rest: Rest,
  { accessToken, signal }: Pick<ShopAccess, 'accessToken' | 'signal'>,
  topicId: string,
  destinationId: string,
): Promise<void> {
  const own = { accessToken, signal }
  const wanted = {
    status: 'ENABLED',
    payload: { format: 'JSON', schemaVersion: '1.0', deliveryProtocol: 'HTTPS' },
    destinationId,
  }
  try {
    await rest({
      ...own,
      call: `the subscription to ${topicId}`,
      method: 'POST',
      path: `${base}/subscription`,
      body: {
        topicId,
        ...wanted,
      },
    })
    return
  } catch (error) {
    if (!hasFault(error, subscriptionExists)) throw error
  }
  const answer = await rest({
    ...own,
    call: 'the subscriptions to notifications',
    method: 'GET',
    path: `${base}/subscription?limit=100`,
    schema: Subscriptions,
  })
  for (const known of answer?.subscriptions ?? []) {
    if (known.topicId !== topicId) continue
    const call = { ...own, call: `the subscription to ${topicId}` }
    const path = `${base}/subscription/${encodeURIComponent(known.subscriptionId)}`
    if (known.destinationId !== destinationId) await rest({ ...call, method: 'PUT', path, body: wanted })
    else if (known.status !== 'ENABLED') await rest({ ...call, method: 'POST', path: `${path}/enable` })
  }
}

function isNotAllowed(error: unknown): boolean {
  return notAllowed.some((id) => hasFault(error, id)) || (error instanceof EbayRefusal && error.status === 403)
}
