import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { html, notFound, redirect, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { createLocalServer, readRequest, send } from '../kit/listener.ts'
import { createPushSender, type PushSender } from '../kit/push-sender.ts'
import { openStateFile } from '../kit/state-file.ts'
import { answerApi, type StripeContext } from './api.ts'
import {
  applyAction,
  beginSubscription,
  emptyState,
  idOf,
  type StripeState,
  type SubscriptionAction,
  subscriptionActions,
} from './objects.ts'
import { checkoutPage, homePage, portalPage } from './pages.ts'

interface StripeSandboxOptions {
  secretKey: string
  webhook: { url: string; secret: string }
  /** The file that customers and subscriptions are saved in, so that they outlive a restart. */
  statePath?: string
  clock?: () => Date
}

export interface StripeSandbox {
  /** Starts on 127.0.0.1 and returns the base address. Port 0 takes a free one. */
  listen(port: number): Promise<string>
  close(): Promise<void>
  state: StripeState
  /** Calls to the API, in order: `POST /v1/customers`. */
  requests: string[]
  /** `down`: cuts every call. `broken`: answers 500. `loses_answers`: handles the call and cuts the answer. */
  availability: 'up' | 'down' | 'broken' | 'loses_answers'
  /** False holds events back until it is true again. */
  sendsEvents: boolean
}

/**
 * Creates the sandbox Stripe: an HTTP server with the parts of Stripe that a subscription needs, which are customers,
 * Checkout, the billing portal and signed events. It has no passwords, so it must stay on this machine.
 */
export function createStripeSandbox(options: StripeSandboxOptions): StripeSandbox {
  const { state, save } = openStateFile(options.statePath, emptyState())
  let sender: PushSender | null = null
  const held: { type: string; object: object }[] = []
  const now = () => Math.floor((options.clock?.() ?? new Date()).getTime() / 1000)
  let sendsEvents = true
  const context: StripeContext = {
    state,
    secretKey: options.secretKey,
    baseUrl: '',
    now,
    isBroken: () => stripe.availability === 'broken',
    emit,
  }
  const stripe: StripeSandbox = {
    state,
    requests: [],
    availability: 'up',
    get sendsEvents() {
      return sendsEvents
    },
    set sendsEvents(on) {
      sendsEvents = on
      if (on) for (const { type, object } of held.splice(0)) emit(type, object)
    },
    async listen(port) {
      context.baseUrl = await server.listen(port)
      return context.baseUrl
    },
    async close() {
      sender?.close()
      await server.close()
    },
  }

  /** Sends an event with the object as it is now. */
  function emit(type: string, object: object): void {
    if (!sendsEvents) return void held.push({ type, object: structuredClone(object) })
    const payload = JSON.stringify({ id: idOf('evt'), object: 'event', type, created: now(), data: { object } })
    const at = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', options.webhook.secret).update(`${at}.${payload}`).digest('hex')
    sender ??= createPushSender(options.webhook.url)
    sender.send({ body: payload, headers: { 'stripe-signature': `t=${at},v1=${signature}` } })
  }

  function pay(id: string, action: string | undefined): SandboxResponse {
    const session = state.sessions[id]
    if (!session) return notFound
    const email = state.customers[session.customer]?.email ?? null
    if (session.status !== 'open') return html('<p>This page has expired.</p>', 410)
    if (action === undefined || action === 'refuse') return html(checkoutPage(session, email, action === 'refuse'))
    session.status = 'complete'
    const subscription = beginSubscription(session, now())
    state.subscriptions[subscription.id] = subscription
    emit('checkout.session.completed', session)
    emit('customer.subscription.created', subscription)
    return redirect(session.success_url)
  }

  function manage(id: string, subscriptionId: string | undefined, action: string | undefined): SandboxResponse {
    const portal = state.portals[id]
    if (!portal) return notFound
    const own = Object.values(state.subscriptions).filter(({ customer }) => customer === portal.customer)
    if (subscriptionId === undefined) return html(portalPage(id, own, portal.return_url))
    const subscription = own.find((one) => one.id === subscriptionId)
    if (!subscription || !isAction(action) || !subscriptionActions[action].isAllowed(subscription)) return notFound
    applyAction(subscription, action, now())
    emit(`customer.subscription.${action === 'end' ? 'deleted' : 'updated'}`, subscription)
    return redirect(`/p/session/${id}`)
  }

  function setFault(kind: string): SandboxResponse {
    if (kind === 'down' || kind === 'up') stripe.availability = kind
    else if (kind === 'hold' || kind === 'send') stripe.sendsEvents = kind === 'send'
    else return notFound
    return redirect('/')
  }

  function handle(request: SandboxRequest): SandboxResponse {
    const [, kind, name = '', id = '', third, fourth] = request.path.split('/')
    const isPost = request.method === 'POST'
    if (kind === 'v1') return answerApi(request, context)
    if (kind === 'c') return isPost === (third !== undefined) ? pay(id, third) : notFound
    if (kind === 'p') return isPost === (third !== undefined) ? manage(id, third, fourth) : notFound
    if (kind === 'faults') return isPost ? setFault(name) : notFound
    return request.path === '/'
      ? html(homePage(state, { answers: stripe.availability === 'up', sendsEvents }))
      : notFound
  }

  /** Returns null where the client must not get an answer. */
  async function respond(message: IncomingMessage): Promise<SandboxResponse | null> {
    const request = await readRequest(message)
    const isCall = request.path.startsWith('/v1/')
    if (isCall) stripe.requests.push(`${request.method} ${request.path}`)
    if (isCall && stripe.availability === 'down') return null
    const answer = handle(request)
    if (request.method !== 'GET') save()
    return isCall && stripe.availability === 'loses_answers' ? null : answer
  }

  const server = createLocalServer((message, response) => {
    respond(message).then(
      (answer) => (answer ? send(response, answer) : message.socket.destroy()),
      () => response.writeHead(500).end(),
    )
  })
  return stripe
}

const isAction = (name: string | undefined): name is SubscriptionAction =>
  name !== undefined && Object.hasOwn(subscriptionActions, name)
