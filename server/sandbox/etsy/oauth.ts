import { html, json, redirect, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import type { Grants } from './grants.ts'
import type { EtsyMarket } from './market.ts'
import { consentPage, refusalPage } from './pages.ts'

/** The one application that the sandbox knows. */
export interface SandboxClient {
  /** The keystring. */
  clientId: string
  /** The shared secret. */
  clientSecret: string
  /** Redirect addresses that must match exactly. */
  redirectUris: string[]
}

/** The scopes of Etsy's document. */
const knownScopes = new Set(
  'address_r address_w billing_r cart_r cart_w email_r favorites_r favorites_w feedback_r listings_d listings_r listings_w profile_r profile_w recommend_r recommend_w shops_r shops_w transactions_r transactions_w'.split(
    ' ',
  ),
)

const fieldNames = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]

interface Consent {
  redirectUri: string
  scopes: string[]
  state: string
  challenge: string
}

/** GET /oauth/connect: shows the consent page. Etsy shows a wrong request to the seller instead of redirecting. */
export function connect(request: SandboxRequest, client: SandboxClient, market: EtsyMarket): SandboxResponse {
  const consent = consentOf(request.query, client)
  if (typeof consent === 'string') return html(refusalPage(consent), 400)
  return html(
    consentPage(market.users(), Object.fromEntries(fieldNames.map((name) => [name, request.query.get(name) ?? '']))),
  )
}

/** POST /oauth/connect: takes the seller's decision and redirects to the application. */
export function decide(
  request: SandboxRequest,
  client: SandboxClient,
  market: EtsyMarket,
  grants: Grants & { isFull(userId: number): boolean },
): SandboxResponse {
  const fields = new URLSearchParams(request.body)
  const consent = consentOf(fields, client)
  if (typeof consent === 'string') return html(refusalPage(consent), 400)
  const back = new URL(consent.redirectUri)
  if (fields.get('decision') === 'agree') {
    const user = market.user(Number(fields.get('user')))
    if (!user) return html(refusalPage('There is no such person here.'), 400)
    if (grants.isFull(user.userId)) back.searchParams.set('error', 'unauthorized_client')
    else back.searchParams.set('code', grants.issueCode({ ...consent, userId: user.userId }))
  } else {
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', 'The user denied consent for the app')
  }
  back.searchParams.set('state', consent.state)
  return redirect(back.href)
}

/** Returns the request for consent, or why it is refused. */
function consentOf(fields: URLSearchParams, client: SandboxClient): Consent | string {
  const field = (name: string) => fields.get(name) ?? ''
  if (field('response_type') !== 'code') return 'The response_type must be "code".'
  if (field('client_id') !== client.clientId) return 'The client_id is no API key known here.'
  if (!client.redirectUris.includes(field('redirect_uri'))) return 'The requested redirect URL is not permitted.'
  const scopes = field('scope').split(' ')
  const unknown = scopes.find((scope) => !knownScopes.has(scope))
  if (unknown !== undefined) return `The scope "${unknown}" is not known.`
  if (field('state') === '') return 'A state is needed: a text that nobody can guess.'
  if (field('code_challenge_method') !== 'S256') return 'PKCE is needed: code_challenge_method must be S256.'
  if (!/^[\w-]{43}$/.test(field('code_challenge'))) return 'PKCE is needed: code_challenge is no SHA-256 in base64url.'
  return { redirectUri: field('redirect_uri'), scopes, state: field('state'), challenge: field('code_challenge') }
}

/** POST /v3/public/oauth/token */
export function token(request: SandboxRequest, client: SandboxClient, grants: Grants): SandboxResponse {
  if (!request.header('content-type').startsWith('application/x-www-form-urlencoded')) {
    return refuse('invalid_request', 'the body must be a form')
  }
  const form = new URLSearchParams(request.body)
  const field = (name: string) => form.get(name) ?? ''
  if (form.has('client_secret')) return refuse('invalid_request', 'client_secret is not a parameter')
  if (field('client_id') !== client.clientId) return refuse('invalid_client', 'client_id is not known')
  if (field('grant_type') === 'authorization_code') {
    if (!/^[\w.~-]{43,128}$/.test(field('code_verifier'))) return refuse('invalid_request', 'code_verifier is required')
    const issued = grants.redeemCode(field('code'), field('redirect_uri'), field('code_verifier'))
    return typeof issued === 'string' ? refuse('invalid_grant', issued) : json(issued)
  }
  if (field('grant_type') !== 'refresh_token') return refuse('unsupported_grant_type', 'grant_type is not supported')
  const issued = grants.refresh(field('refresh_token'))
  return issued ? json(issued) : refuse('invalid_grant', 'refresh_token is revoked')
}

function refuse(error: string, error_description: string): SandboxResponse {
  return json({ error, error_description }, 400)
}
