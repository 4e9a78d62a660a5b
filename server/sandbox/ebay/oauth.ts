import { html, json, redirect, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { accessSeconds, type Grants, refreshSeconds } from './grants.ts'
import type { EbayMarket } from './market.ts'
import { consentPage, refusalPage } from './pages.ts'
import { restError } from './responses.ts'

/** The one application that the sandbox knows. */
export interface SandboxClient {
  clientId: string
  clientSecret: string
  ruName: string
  /** The redirect address behind the RuName. */
  acceptUrl: string
  /** Scopes that eBay granted to the keyset; the usual ones by default. */
  scopes?: string[]
}

export const baseScope = 'https://api.ebay.com/oauth/api_scope'
const identityScope = `${baseScope}/commerce.identity.readonly`

/** Scopes of a keyset, which sellers grant in tests: those of the APIs that an application for sellers calls. */
export const usualScopes = [
  baseScope,
  identityScope,
  ...['sell.account', 'sell.fulfillment', 'commerce.notification.subscription'].map((name) => `${baseScope}/${name}`),
]

/** GET /oauth2/authorize: shows the consent page. eBay shows a wrong request to the seller instead of redirecting. */
export function authorize(request: SandboxRequest, client: SandboxClient, market: EbayMarket): SandboxResponse {
  const consent = consentOf(request.query, client)
  if ('status' in consent) return consent
  const names = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state']
  return html(
    consentPage(market.sellers(), Object.fromEntries(names.map((name) => [name, request.query.get(name) ?? '']))),
  )
}

/** POST /oauth2/authorize: takes the seller's decision and redirects to the application. */
export function decide(
  request: SandboxRequest,
  client: SandboxClient,
  market: EbayMarket,
  grants: Grants,
): SandboxResponse {
  const fields = new URLSearchParams(request.body)
  const consent = consentOf(fields, client)
  if ('status' in consent) return consent
  const back = new URL(client.acceptUrl)
  if (fields.get('decision') === 'agree') {
    const seller = market.seller(fields.get('seller') ?? '')
    if (!seller) return html(refusalPage('There is no such seller here.'), 400)
    back.searchParams.set('code', grants.issueCode(seller.username, consent.scopes))
    back.searchParams.set('expires_in', '299')
  } else {
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', 'The resource owner or authorization server denied the request')
  }
  back.searchParams.set('state', consent.state)
  return redirect(back.href)
}

/**
 * Returns the request for consent, or its refusal. One scope that the keyset lacks refuses the whole request, on a page
 * of JSON that leads nowhere (github.com/YosefHayim/ebay-mcp/issues/175).
 */
function consentOf(
  fields: URLSearchParams,
  client: SandboxClient,
): { scopes: string[]; state: string } | SandboxResponse {
  const refuse = (why: string) => html(refusalPage(why), 400)
  if (fields.get('client_id') !== client.clientId) return refuse('The client_id is not known (unauthorized_client).')
  if (fields.get('redirect_uri') !== client.ruName) {
    return refuse('The redirect_uri is no RuName of this application (invalid_request).')
  }
  if (fields.get('response_type') !== 'code') {
    return refuse('The response_type must be "code" (unsupported_response_type).')
  }
  const granted = client.scopes ?? usualScopes
  const scopes = (fields.get('scope') || baseScope).split(' ')
  if (scopes.some((name) => !granted.includes(name))) {
    return json({ error_id: 'invalid_scope', http_status_code: 400 }, 400)
  }
  return { scopes, state: fields.get('state') ?? '' }
}

/** POST /identity/v1/oauth2/token */
export function token(request: SandboxRequest, client: SandboxClient, grants: Grants): SandboxResponse {
  const expected = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`
  if (request.header('authorization') !== expected) return refuseToken('invalid_client', 401)
  const form = new URLSearchParams(request.body)
  const type = { token_type: 'User Access Token' }
  if (form.get('grant_type') === 'authorization_code') {
    const tokens = form.get('redirect_uri') === client.ruName ? grants.redeemCode(form.get('code') ?? '') : null
    if (!tokens) return refuseToken('invalid_grant')
    return json({ ...tokens, expires_in: accessSeconds, refresh_token_expires_in: refreshSeconds, ...type })
  }
  if (form.get('grant_type') === 'client_credentials') {
    const access_token = grants.issueApplication()
    return json({ access_token, expires_in: accessSeconds, token_type: 'Application Access Token' })
  }
  if (form.get('grant_type') !== 'refresh_token') return refuseToken('unsupported_grant_type')
  const access_token = grants.refresh(form.get('refresh_token') ?? '', form.get('scope')?.split(' '))
  return access_token ? json({ access_token, expires_in: accessSeconds, ...type }) : refuseToken('invalid_grant')
}

const descriptions = {
  invalid_grant: 'the provided authorization grant code is invalid or was issued to another client',
  invalid_client: 'client authentication failed',
  unsupported_grant_type: 'grant type in request is not supported by the authorization server',
}

export function refuseToken(error: keyof typeof descriptions, status = 400): SandboxResponse {
  return json({ error, error_description: descriptions[error] }, status)
}

/** GET /commerce/identity/v1/user/ */
export function identity(request: SandboxRequest, market: EbayMarket, grants: Grants): SandboxResponse {
  const grant = grants.check(request.header('authorization').replace(/^Bearer /, ''))
  if (typeof grant === 'string') return restError(401, 1001, 'Invalid access token')
  if (!grant.scopes.includes(identityScope)) return restError(403, 1100, 'Access denied')
  const { userId, username, marketplaceId } = market.seller(grant.seller)!
  return json({
    userId,
    username,
    accountType: 'INDIVIDUAL',
    registrationMarketplaceId: marketplaceId,
    status: 'CONFIRMED',
  })
}
