import { createHash } from 'node:crypto'
import { json, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { applyAction, idOf, type SandboxSession, type StripeState } from './objects.ts'

export interface StripeContext {
  state: StripeState
  secretKey: string
  baseUrl: string
  now(): number
  /** True answers 500 to every request. Stripe stores that answer under the idempotency key too. */
  isBroken(): boolean
  /** Sends an event about a changed object. */
  emit(type: string, object: object): void
}

/** Returns an error in Stripe's form. */
const refuse = (status: number, code: string, more: object = {}) =>
  json({ error: { type: 'invalid_request_error', code, message: `The sandbox says: ${code}.`, ...more } }, status)

/** Answers requests under `/v1/`: the part of Stripe's API that Hapax uses, with idempotency keys. */
export function answerApi(request: SandboxRequest, context: StripeContext): SandboxResponse {
  if (request.header('authorization') !== `Bearer ${context.secretKey}`) {
    return json({ error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } }, 401)
  }
  const key = request.header('idempotency-key')
  if (request.method !== 'POST' || key === '') return answer(request, context)
  const requestHash = createHash('sha256').update(`${request.path}?${request.body}`).digest('hex')
  const before = context.state.answered[key]
  if (before && before.requestHash !== requestHash)
    return json(
      {
        error: {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters',
        },
      },
      400,
    )
  if (before) return json(before.body, before.status)
  const answered = answer(request, context)
  context.state.answered[key] = {
    requestHash,
    status: answered.status,
    body: JSON.parse(String(answered.body)) as object,
  }
  return answered
}

function answer(request: SandboxRequest, context: StripeContext): SandboxResponse {
  if (context.isBroken()) return json({ error: { type: 'api_error', message: 'Internal' } }, 500)
  const { state } = context
  const form = new URLSearchParams(request.body)
  const [, , kind = '', second = '', third = '', fourth] = request.path.split('/')
  switch (`${request.method} ${kind}/${second === 'sessions' ? second : ''}`) {
    case 'POST customers/': {
      const customer = {
        object: 'customer',
        id: idOf('cus'),
        email: form.get('email'),
        metadata: metadataOf(form),
      } as const
      state.customers[customer.id] = customer
      return json(customer)
    }
    case 'GET subscriptions/': {
      if (second !== '') return json(state.subscriptions[second] ?? {}, state.subscriptions[second] ? 200 : 404)
      const customer = request.query.get('customer') ?? ''
      if (!state.customers[customer]) return refuse(400, 'resource_missing', { param: 'customer' })
      const data = Object.values(state.subscriptions).filter((one) => one.customer === customer)
      return json({ object: 'list', has_more: false, url: request.path, data })
    }
    case 'DELETE subscriptions/': {
      const subscription = state.subscriptions[second]
      if (!subscription || subscription.status === 'canceled') return refuse(404, 'resource_missing', { param: 'id' })
      applyAction(subscription, 'end', context.now())
      context.emit('customer.subscription.deleted', subscription)
      return json(subscription)
    }
    case 'GET prices/': {
      if (second !== 'price_sandbox') return refuse(404, 'resource_missing', { param: 'price' })
      const recurring = { interval: 'month', interval_count: 1 }
      return json({
        object: 'price',
        id: second,
        active: true,
        currency: 'usd',
        unit_amount: 1_200,
        type: 'recurring',
        recurring,
      })
    }
    case 'POST checkout/sessions':
      return third === '' ? openSession(form, context) : expireSession(third, fourth, context)
    case 'GET checkout/sessions': {
      const session = state.sessions[third]
      return session ? json(shown(session, context)) : refuse(404, 'resource_missing', { param: 'session' })
    }
    case 'POST billing_portal/sessions': {
      const customer = form.get('customer') ?? ''
      if (!state.customers[customer]) return refuse(400, 'resource_missing', { param: 'customer' })
      const id = idOf('bps')
      state.portals[id] = { customer, return_url: form.get('return_url') ?? '' }
      return json({ object: 'billing_portal.session', id, url: `${context.baseUrl}/p/session/${id}` })
    }
    default:
      return refuse(404, 'unknown_path')
  }
}

/** "Has to be at least 48 hours in the future" (Stripe's reference of checkout sessions). */
const minTrialSeconds = 48 * 3_600

function openSession(form: URLSearchParams, context: StripeContext): SandboxResponse {
  const customer = form.get('customer') ?? ''
  if (!context.state.customers[customer]) return refuse(400, 'resource_missing', { param: 'customer' })
  const price = form.get('line_items[0][price]') ?? ''
  if (price !== 'price_sandbox' || form.get('mode') !== 'subscription') {
    return refuse(400, 'resource_missing', { param: 'line_items[0][price]' })
  }
  const trialEnd = form.get('subscription_data[trial_end]')
  if (trialEnd !== null && !(Number(trialEnd) >= context.now() + minTrialSeconds)) {
    return refuse(400, 'parameter_invalid_integer', { param: 'subscription_data[trial_end]' })
  }
  const session: SandboxSession = {
    object: 'checkout.session',
    id: idOf('cs_test'),
    customer,
    client_reference_id: form.get('client_reference_id'),
    status: 'open',
    price,
    metadata: metadataOf(form),
    subscription_metadata: metadataOf(form, 'subscription_data[metadata]'),
    trial_end: trialEnd === null ? null : Number(trialEnd),
    success_url: form.get('success_url') ?? '',
    cancel_url: form.get('cancel_url') ?? '',
  }
  context.state.sessions[session.id] = session
  return json(shown(session, context))
}

function expireSession(id: string, action: string | undefined, context: StripeContext): SandboxResponse {
  const session = context.state.sessions[id]
  if (!session || action !== 'expire') return refuse(404, 'resource_missing', { param: 'session' })
  if (session.status !== 'open') return refuse(400, 'session_not_open')
  session.status = 'expired'
  return json(shown(session, context))
}

/** Returns a session as the API shows it. Its page has an address only while it is open. */
const shown = (session: SandboxSession, { baseUrl }: StripeContext) => ({
  ...session,
  url: session.status === 'open' ? `${baseUrl}/c/pay/${session.id}` : null,
})

function metadataOf(form: URLSearchParams, name = 'metadata'): Record<string, string> {
  const own = [...form].filter(([field]) => field.startsWith(`${name}[`))
  return Object.fromEntries(own.map(([field, value]) => [field.slice(name.length + 1, -1), value]))
}
