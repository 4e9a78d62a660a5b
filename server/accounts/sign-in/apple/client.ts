import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { problem } from '#server/infra/errors.ts'
import { boundedFetch } from '#server/infra/fetch.ts'
import type { Services } from '#server/services.ts'
import { type AppleIdentity, appleIssuer, identityRefused, readIdentityToken } from './identity-token.ts'
import { type AppleKeys, createAppleKeys } from './keys.ts'
import { type AppleNotification, readNotification } from './notification.ts'

export interface AppleClient {
  /** Returns the identity that a token proves. Throws `invalid_identity_token`, `unavailable`. */
  read(identityToken: string): Promise<AppleIdentity>
  /** Reads a server-to-server notification. Throws `invalid_identity_token`, `unavailable`. */
  readNotification(payload: string): Promise<AppleNotification>
  /**
   * Redeems an authorization code, which works once. Throws `invalid_identity_token` if Apple refuses it or names
   * another person, `unavailable` if Apple cannot answer.
   */
  redeem(code: string, identity: AppleIdentity): Promise<{ refreshToken: string | null }>
  /** Revokes the grant of a closed account at Apple. Throws so that the job retries. */
  revoke(refreshToken: string): Promise<void>
}

const Grant = z.object({ id_token: z.string().max(20_000), refresh_token: z.string().max(4_000).optional() })
const Refusal = z.object({ error: z.string() })

/** Creates the client for Sign in with Apple; null without a client id, team, key id and key (APPLE_…). */
export function createAppleClient(services: Pick<Services, 'config' | 'fetch' | 'log' | 'now'>): AppleClient | null {
  const { config, fetch, log, now } = services
  const { APPLE_CLIENT_ID, APPLE_SERVICES_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY } = config
  const clientIds = [APPLE_CLIENT_ID, APPLE_SERVICES_ID].filter((id) => id !== undefined)
  if (clientIds.length === 0 || !APPLE_TEAM_ID || !APPLE_KEY_ID || !APPLE_PRIVATE_KEY) return null
  const keys: AppleKeys = createAppleKeys({ url: config.APPLE_URL, fetch, log, now })
  const read = (token: string) => readIdentityToken(token, { keys, clientIds, now: now() })

  /** Returns our client secret: a token signed with ES256, valid for five minutes. */
  async function clientSecret(clientId: string): Promise<string> {
    const issuedAt = Math.floor(now().getTime() / 1000)
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: APPLE_KEY_ID })
      .setIssuer(APPLE_TEAM_ID ?? '')
      .setSubject(clientId)
      .setAudience(appleIssuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 300)
      .sign(await importPKCS8(asPem(APPLE_PRIVATE_KEY ?? ''), 'ES256'))
  }

  async function post(path: string, clientId: string, fields: Record<string, string>): Promise<Response> {
    const form = new URLSearchParams({ client_id: clientId, client_secret: await clientSecret(clientId), ...fields })
    try {
      return await boundedFetch(
        fetch,
        'service',
        10_000,
      )(`${config.APPLE_URL}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: form.toString(),
      })
    } catch (error) {
      throw appleUnavailable(error)
    }
  }

  /** Returns the error code of a refusal. Logs faults of our registration, which callers cannot fix. */
  async function refusalOf(response: Response, action: string): Promise<string | undefined> {
    const refusal = Refusal.safeParse(await response.json().catch(() => null)).data?.error.slice(0, 100)
    if (response.status === 400 && refusal === 'invalid_grant') return refusal
    log.error({ status: response.status, apple_error: refusal }, `Apple refused to ${action}`)
    return refusal
  }

  return {
    read,
    readNotification: (payload) => readNotification(payload, { keys, clientIds, now: now() }),
    async redeem(code, identity) {
      // Only codes of web pages have a redirect URI, and Apple compares it.
      const fromWeb = identity.clientId === APPLE_SERVICES_ID && config.APPLE_REDIRECT_URI !== undefined
      const response = await post('/auth/token', identity.clientId, {
        grant_type: 'authorization_code',
        code,
        ...(fromWeb ? { redirect_uri: config.APPLE_REDIRECT_URI ?? '' } : {}),
      })
      if (!response.ok) {
        if ((await refusalOf(response, 'redeem a code')) === 'invalid_grant') throw identityRefused()
        throw appleUnavailable()
      }
      const grant = Grant.safeParse(await response.json().catch(() => null))
      if (!grant.success) throw appleUnavailable(grant.error)
      const redeemed = await read(grant.data.id_token)
      if (redeemed.subject !== identity.subject) throw identityRefused()
      return { refreshToken: grant.data.refresh_token ?? null }
    },
    async revoke(refreshToken) {
      // The grant's client id is not stored. Apple takes a token of the other client for an unknown one and answers 200.
      const outcomes = await Promise.all(
        clientIds.map(async (clientId) => {
          const fields = { token: refreshToken, token_type_hint: 'refresh_token' }
          const response = await post('/auth/revoke', clientId, fields)
          return response.ok || (await refusalOf(response, 'revoke a grant')) === 'invalid_grant'
        }),
      )
      if (outcomes.includes(false)) throw appleUnavailable()
    },
  }
}

/**
 * Restores line breaks that an environment variable holds as `
 * `.
 */
export const asPem = (text: string) => text.replaceAll('\\n', '\n')

const appleUnavailable = (cause?: unknown) =>
  problem('unavailable', 'Apple cannot be reached right now.', { retryAfterSeconds: 10, cause })
