import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { type FakeAnswer, type FakeRequest, html, notFound } from '../kit/answer.ts'
import { createPushSender, type PushSender } from '../kit/send-push.ts'
import { answerApi, type StripeDesk } from './api.ts'
import { checkoutPage, homePage, portalPage } from './pages.ts'
import { readState, writeState } from './state.ts'
import { act, beginSubscription, type Deed, deeds, idOf, type StripeState } from './world.ts'

export interface StripeFakeOptions {
  secretKey: string
  webhook: { url: string; secret: string }
  /** Keeps customers and what they pay, so that subscriptions outlive a restart. */
  statePath?: string
  clock?: () => Date
}

export interface StripeFake {
  /** Starts on 127.0.0.1; port 0 takes a free one. Answers the base address. */
  listen(port: number): Promise<string>
  close(): Promise<void>
  state: StripeState
  /** Calls to the API, in order: `POST /v1/customers`. */
  requests: string[]
  /** `down`: every call is cut off. `broken`: answers 500. `deaf`: does what is asked, and the answer is lost. */
  mood: 'up' | 'down' | 'broken' | 'deaf'
  /** False: what happens is told only when it is true again. */
  tells: boolean
}

/**
 * The sandbox Stripe: a real HTTP server with Stripe's customers, Checkout, billing portal and signed events, as far as a
 * subscription needs them. Not for the open network: whoever reaches it pays as anybody.
 */
export function createStripeFake(options: StripeFakeOptions): StripeFake {
  const state = readState(options.statePath)
  let sender: PushSender | null = null
  const held: { type: string; object: object }[] = []
  const now = () => Math.floor((options.clock?.() ?? new Date()).getTime() / 1000)
  let tells = true
  const desk: StripeDesk = {
    state,
    secretKey: options.secretKey,
    baseUrl: '',
    now,
    isBroken: () => fake.mood === 'broken',
    tell,
  }
  const fake: StripeFake = {
    state,
    requests: [],
    mood: 'up',
    get tells() {
      return tells
    },
    set tells(on) {
      tells = on
      if (on) for (const { type, object } of held.splice(0)) tell(type, object)
    },
    async listen(port) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', resolve)
      })
      desk.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return desk.baseUrl
    },
    async close() {
      sender?.close()
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }

  /** As it is now, whatever becomes of it until it is heard. */
  function tell(type: string, object: object): void {
    if (!tells) return void held.push({ type, object: structuredClone(object) })
    const payload = JSON.stringify({ id: idOf('evt'), object: 'event', type, created: now(), data: { object } })
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: options.webhook.secret })
    sender ??= createPushSender(options.webhook.url)
    sender.send({ body: payload, headers: { 'stripe-signature': signature } })
  }

  function pay(id: string, deed: string | undefined): FakeAnswer {
    const session = state.sessions[id]
    if (!session) return notFound
    const email = state.customers[session.customer]?.email ?? null
    if (session.status !== 'open') return html('<p>This page is over.</p>', 410)
    if (deed === undefined || deed === 'refuse') return html(checkoutPage(session, email, deed === 'refuse'))
    session.status = 'complete'
    const subscription = beginSubscription(session, now())
    state.subscriptions[subscription.id] = subscription
    tell('checkout.session.completed', session)
    tell('customer.subscription.created', subscription)
    return { ...html('', 303), headers: { location: session.success_url } }
  }

  function manage(id: string, subscriptionId: string | undefined, deed: string | undefined): FakeAnswer {
    const portal = state.portals[id]
    if (!portal) return notFound
    const theirs = Object.values(state.subscriptions).filter(({ customer }) => customer === portal.customer)
    if (subscriptionId === undefined) return html(portalPage(id, theirs, portal.return_url))
    const subscription = theirs.find((one) => one.id === subscriptionId)
    if (!subscription || !deed || !Object.hasOwn(deeds, deed) || !deeds[deed as Deed].can(subscription)) return notFound
    act(subscription, deed as Deed, now())
    tell(`customer.subscription.${deed === 'end' ? 'deleted' : 'updated'}`, subscription)
    return { ...html('', 303), headers: { location: `/p/session/${id}` } }
  }

  function trouble(kind: string): FakeAnswer {
    if (kind === 'down' || kind === 'up') fake.mood = kind
    else if (kind === 'mute' || kind === 'tell') fake.tells = kind === 'tell'
    else return notFound
    return { ...html('', 303), headers: { location: '/' } }
  }

  function handle(request: FakeRequest): FakeAnswer {
    const [, kind, , id = '', third, fourth] = request.path.split('/')
    const isPost = request.method === 'POST'
    if (kind === 'v1') return answerApi(request, desk)
    if (kind === 'c') return isPost === (third !== undefined) ? pay(id, third) : notFound
    if (kind === 'p') return isPost === (third !== undefined) ? manage(id, third, fourth) : notFound
    if (kind === 'trouble') return isPost ? trouble(request.path.split('/')[2] ?? '') : notFound
    return request.path === '/' ? html(homePage(state, { answers: fake.mood === 'up', tells })) : notFound
  }

  const server = createServer((message, response) => {
    serve(message).then(
      (answer) => {
        if (!answer) return message.socket.destroy()
        response.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers }).end(answer.body)
      },
      () => response.writeHead(500).end(),
    )
  })

  /** Null where the caller hears nothing. */
  async function serve(message: IncomingMessage): Promise<FakeAnswer | null> {
    const request = await readRequest(message)
    const isCall = request.path.startsWith('/v1/')
    if (isCall) fake.requests.push(`${request.method} ${request.path}`)
    if (isCall && fake.mood === 'down') return null
    const answer = handle(request)
    if (request.method !== 'GET') writeState(options.statePath, state)
    return isCall && fake.mood === 'deaf' ? null : answer
  }
  return fake
}

async function readRequest(message: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const url = new URL(message.url ?? '/', 'http://127.0.0.1')
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    header: (name) => String(message.headers[name] ?? ''),
    body: Buffer.concat(chunks).toString('utf8'),
  }
}
