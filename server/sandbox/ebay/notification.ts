import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { createPushSender, usualPausesMs } from '../kit/push-sender.ts'
import type { Grants } from './grants.ts'
import type { SandboxSeller } from './item.ts'
import type { SandboxOrder } from './orders.ts'
import { restError } from './responses.ts'

const base = '/commerce/notification/v1'
const keyPath = `${base}/public_key/`
const scope = 'https://api.ebay.com/oauth/api_scope/commerce.notification.subscription'

interface SandboxDestination {
  destinationId: string
  name: string
  status: string
  endpoint: string
}

interface SandboxSubscription {
  subscriptionId: string
  /** The seller that it was created for; null for the application's own. */
  seller: string | null
  topicId: string
  status: string
  destinationId: string
}

/** Configuration, destinations and subscriptions, as saved in the state file. */
export interface SavedNotifications {
  alertEmail: string | null
  destinations: SandboxDestination[]
  subscriptions: SandboxSubscription[]
}

interface NotificationApi {
  /** Answers the Notification API; null for other paths. */
  answer(request: SandboxRequest): SandboxResponse | Promise<SandboxResponse> | null
  /** Pushes a purchase with all its lines in one notice, if its seller has a subscription. */
  confirmOrder(order: SandboxOrder, seller: SandboxSeller): void
  /** Pushes that a seller revoked consent, if the application has a subscription. */
  revokeAuthorization(seller: SandboxSeller): void
  saved: SavedNotifications
  /** Pushes since the start, oldest first. */
  pushed: { topicId: string; endpoint: string }[]
  /** Topics that the application may not subscribe to. */
  refusedTopics: Set<string>
  close(): void
}

/** Topics, with the kind of token that may subscribe. */
const topics: Record<string, 'seller' | 'application'> = {
  ORDER_CONFIRMATION: 'seller',
  AUTHORIZATION_REVOCATION: 'application',
}

/**
 * Creates eBay's Notification API: configuration, destinations, subscriptions and signed pushes. The signing key is new
 * at each start. A push goes only to an enabled destination that answered its challenge, for an enabled subscription. A
 * destination that acknowledges no attempt of a push is marked down until the application enables it again. Read at
 * https://developer.ebay.com/marketplace-account-deletion and in the document's DestinationStatusEnum; eBay takes hours.
 */
export function createNotificationApi(given: {
  grants: Grants
  clock: () => Date
  saved?: SavedNotifications
  /** Pauses before each attempt of a push. */
  pausesMs?: readonly number[]
  onChange?: (saved: SavedNotifications) => void
}) {
  const { grants, clock, pausesMs = usualPausesMs } = given
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const kid = randomUUID()
  const senders = new Map<string, ReturnType<typeof createPushSender>>()
  const saved: SavedNotifications = given.saved ?? { alertEmail: null, destinations: [], subscriptions: [] }
  const refusedTopics = new Set<string>()
  const pushed: NotificationApi['pushed'] = []
  const save = () => given.onChange?.(saved)
  const refuse = (status: number, errorId: number, message: string) => restError(status, errorId, message)
  const noContent: SandboxResponse = { status: 204, type: 'application/json', body: '' }

  function senderOf(url: string) {
    const markDown = () => {
      for (const one of saved.destinations) if (one.endpoint === url) one.status = 'MARKED_DOWN'
      save()
    }
    const sender = senders.get(url) ?? createPushSender(url, { pausesMs, onGivenUp: markDown })
    senders.set(url, sender)
    return sender
  }

  /** Whether the endpoint answers the challenge with the hash of code, token and its own address. */
  async function answersChallenge(endpoint: string, verificationToken: string): Promise<boolean> {
    const code = randomUUID()
    const url = new URL(endpoint)
    url.searchParams.set('challenge_code', code)
    const expected = createHash('sha256').update(code).update(verificationToken).update(endpoint).digest('hex')
    try {
      const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
      const body = (await answer.json()) as { challengeResponse?: unknown }
      const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json')
      return answer.status === 200 && isJson && body.challengeResponse === expected
    } catch {
      return false
    }
  }

  async function putDestination(body: Record<string, unknown>, old?: SandboxDestination): Promise<SandboxResponse> {
    if (saved.alertEmail === null)
      return refuse(409, 195_003, 'Please provide configurations required for notifications.')
    const { name, status } = body
    const { endpoint, verificationToken } = (body.deliveryConfig ?? {}) as Record<string, unknown>
    if (typeof name !== 'string' || name === '' || name.length > 64) return refuse(400, 195_016, 'Invalid name.')
    const isAddress =
      typeof endpoint === 'string' && /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])/.test(endpoint)
    if (!isAddress) return refuse(400, 195_017, 'Invalid or missing endpoint.')
    if (status !== 'ENABLED' && status !== 'DISABLED') {
      return refuse(400, 195_018, 'Invalid or missing destination status. Supported values:[ENABLED,DISABLED]')
    }
    if (typeof verificationToken !== 'string' || !/^[\w-]{32,80}$/.test(verificationToken)) {
      return refuse(400, 195_019, 'Invalid or missing verification token for this endpoint.')
    }
    if (!old && saved.destinations.some((one) => one.endpoint === endpoint)) {
      return refuse(409, 195_021, 'Destination exists for this endpoint')
    }
    if (!(await answersChallenge(endpoint, verificationToken))) {
      return refuse(409, 195_020, 'Challenge verification failed for requested endpoint')
    }
    if (old) {
      Object.assign(old, { name, status, endpoint })
      save()
      return noContent
    }
    const destinationId = randomUUID()
    saved.destinations.push({ destinationId, name, status, endpoint })
    save()
    return {
      ...json({}, 201),
      body: '',
      headers: { location: `https://api.ebay.com${base}/destination/${destinationId}` },
    }
  }

  function answerApplication(request: SandboxRequest, path: string): SandboxResponse | Promise<SandboxResponse> {
    const { method, header } = request
    if (!grants.isApplication(header('authorization').replace(/^Bearer /, ''))) {
      return refuse(401, 1001, 'Invalid access token')
    }
    if (path.startsWith('/public_key/')) {
      if (request.path.slice(keyPath.length) !== kid) return refuse(404, 195_001, 'The public key was not found.')
      // eBay sends the PEM in one line.
      const key = publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', '')
      return json({ algorithm: 'ECDSA', digest: 'SHA1', key })
    }
    const body = bodyOf(request)
    if (method === 'PUT' && path === '/config') {
      const { alertEmail } = body
      if (typeof alertEmail !== 'string' || !z.email().safeParse(alertEmail).success) {
        return refuse(400, 195_025, 'Invalid or missing email.')
      }
      saved.alertEmail = alertEmail
      save()
      return noContent
    }
    if (method === 'GET' && path === '/destination') {
      const destinations = saved.destinations.map(({ endpoint, ...one }) => ({ ...one, deliveryConfig: { endpoint } }))
      return json({ total: destinations.length, limit: 20, destinations })
    }
    if (method === 'POST' && path === '/destination') return putDestination(body)
    const id = /^\/destination\/([^/]+)$/.exec(path)?.[1]
    const old = saved.destinations.find(({ destinationId }) => destinationId === id)
    if (method === 'PUT' && old) return putDestination(body, old)
    return refuse(404, 195_000, 'Not found.')
  }

  /** Returns the fault in a subscription to make or to update; null when it is right. */
  function subscriptionFault(
    { status, destinationId, payload }: Record<string, unknown>,
    isOn: (destinationId: unknown) => boolean,
  ): SandboxResponse | null {
    const { format, schemaVersion, deliveryProtocol } = (payload ?? {}) as Record<string, unknown>
    if (status !== 'ENABLED' && status !== 'DISABLED') return refuse(400, 195_006, 'Invalid or missing status.')
    if (!saved.destinations.some((one) => one.destinationId === destinationId)) {
      return refuse(400, 195_007, 'Invalid or missing destination id.')
    }
    if (schemaVersion !== '1.0') return refuse(400, 195_008, 'Invalid or missing schema version.')
    if (format !== 'JSON') return refuse(400, 195_009, 'Specified format is not supported for the topic.')
    if (deliveryProtocol !== 'HTTPS') return refuse(400, 195_010, 'Invalid or missing protocol')
    if (status === 'ENABLED' && !isOn(destinationId)) return refuse(409, 195_015, 'The destination is not enabled.')
    return null
  }

  /** Answers about subscriptions. A seller and the application each see their own. */
  function answerSubscriber(request: SandboxRequest, path: string): SandboxResponse {
    const token = request.header('authorization').replace(/^Bearer /, '')
    const isApplication = grants.isApplication(token)
    const grant = grants.check(token)
    if (!isApplication && typeof grant === 'string') return refuse(401, 1001, 'Invalid access token')
    if (typeof grant !== 'string' && !grant.scopes.includes(scope)) return refuse(403, 1100, 'Access denied')
    const subscriber = typeof grant === 'string' ? null : grant.seller
    const own = saved.subscriptions.filter(({ seller }) => seller === subscriber)
    if (request.method === 'GET' && path === '/subscription') {
      const subscriptions = own.map(({ seller: _seller, ...one }) => one)
      return json({ total: subscriptions.length, limit: 20, subscriptions })
    }
    const [, id, action] = /^\/subscription\/([^/]+)(\/enable)?$/.exec(path) ?? []
    const known = own.find(({ subscriptionId }) => subscriptionId === id)
    const isOn = (destinationId: unknown) =>
      saved.destinations.some((one) => one.destinationId === destinationId && one.status === 'ENABLED')
    if (id !== undefined && !known) return refuse(404, 195_013, 'Invalid subscription Id.')
    if (request.method === 'PUT' && known && !action) {
      if (refusedTopics.has(known.topicId)) return refuse(400, 195_010, 'Invalid or missing protocol')
      const { topicId: _topic, ...changes } = bodyOf(request)
      const wrong = subscriptionFault(changes, isOn)
      if (wrong) return wrong
      Object.assign(known, { status: changes.status, destinationId: changes.destinationId })
      save()
      return noContent
    }
    if (request.method === 'POST' && known && action) {
      if (!isOn(known.destinationId)) return refuse(409, 195_015, 'The destination is not enabled.')
      known.status = 'ENABLED'
      save()
      return noContent
    }
    if (request.method !== 'POST' || path !== '/subscription') return refuse(404, 195_000, 'Not found.')
    const { topicId, ...given } = bodyOf(request)
    if (typeof topicId !== 'string' || topicId === '') return refuse(400, 195_027, 'Invalid or missing topic id.')
    if (refusedTopics.has(topicId) || topics[topicId] !== (subscriber === null ? 'application' : 'seller')) {
      return refuse(403, 195_011, 'Not authorized for this topic.')
    }
    const wrong = subscriptionFault(given, isOn)
    if (wrong) return wrong
    if (own.some((one) => one.topicId === topicId)) return refuse(409, 195_012, 'Subscription already exists')
    const subscriptionId = randomUUID()
    saved.subscriptions.push({
      subscriptionId,
      seller: subscriber,
      topicId,
      status: String(given.status),
      destinationId: String(given.destinationId),
    })
    save()
    return { ...json({}, 201), body: '' }
  }

  /** Pushes to the enabled destinations of a subscriber, with eBay's signature. */
  function push(topicId: string, subscriber: string | null, eventDate: string, data: object): void {
    const endpoints = saved.subscriptions
      .filter((one) => one.topicId === topicId && one.seller === subscriber && one.status === 'ENABLED')
      .flatMap(({ destinationId }) => saved.destinations.filter((one) => one.destinationId === destinationId))
      .filter(({ status }) => status === 'ENABLED')
      .map(({ endpoint }) => endpoint)
    const notificationId = randomUUID()
    const attempt = (publishAttemptCount: number) => {
      const publishDate = clock().toISOString()
      const body = JSON.stringify({
        metadata: { topic: topicId, schemaVersion: '1.0', deprecated: false },
        notification: { notificationId, eventDate, publishDate, publishAttemptCount, data },
      })
      const signature = createSign('sha1').update(body).sign(privateKey, 'base64')
      const header = JSON.stringify({ alg: 'ecdsa', kid, signature, digest: 'SHA1' })
      return { body, headers: { 'x-ebay-signature': Buffer.from(header).toString('base64') } }
    }
    for (const endpoint of endpoints) {
      pushed.push({ topicId, endpoint })
      senderOf(endpoint).send(attempt)
    }
  }

  const context: NotificationApi = {
    saved,
    pushed,
    refusedTopics,

    answer(request) {
      if (!request.path.startsWith(`${base}/`)) return null
      const path = request.path.slice(base.length)
      return path.startsWith('/subscription') ? answerSubscriber(request, path) : answerApplication(request, path)
    },

    confirmOrder({ orderId, createdAt, lines }, { userId, username }) {
      const orderLineItems = lines.map(({ lineItemId, itemId, quantity }) => {
        return { orderLineItemId: lineItemId, listingId: itemId, quantity }
      })
      push('ORDER_CONFIRMATION', username, createdAt, {
        user: { userId, username },
        order: { orderId, orderLineItems },
      })
    },

    revokeAuthorization({ userId, username }) {
      const revocationDate = clock().toISOString()
      push('AUTHORIZATION_REVOCATION', null, revocationDate, {
        username,
        userId,
        eiasToken: Buffer.from(`eias of ${username}`).toString('base64'),
        revokeReason: 'REVOKED_BY_USER',
        revocationDate,
      })
      // Subscriptions of a seller end with the consent.
      saved.subscriptions = saved.subscriptions.filter(({ seller }) => seller !== username)
      save()
    },

    close() {
      for (const sender of senders.values()) sender.close()
    },
  }
  return context
}

function bodyOf(request: SandboxRequest): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(request.body)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
