import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { problem } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import { type AppleIdentity, appleIssuer, identityRefused, readIdentityToken } from './identity-token.ts'
import { type AppleKeys, createAppleKeys } from './keys.ts'

export interface AppleClient {
  /** The identity that a token proves. Throws `invalid_identity_token`, `unavailable`. */
  read(identityToken: string): Promise<AppleIdentity>
  /**
   * Redeems an authorization code; Apple gives it once. Throws `invalid_identity_token` when it does not take the code
   * or gave it to somebody else than `subject`, `unavailable` when it cannot answer.
   */
  redeem(code: string, subject: string): Promise<{ refreshToken: string | null }>
  /** Tells Apple that a closed account's grant is over. Throws what makes a job try again. */
  revoke(refreshToken: string): Promise<void>
}

const Grant = z.object({ id_token: z.string().max(20_000), refresh_token: z.string().max(4_000).optional() })
const Refusal = z.object({ error: z.string() })

/** Sign in with Apple as this server is registered there; null without its four values (APPLE_…). */
export function createAppleClient(services: Pick<Services, 'config' | 'fetch' | 'log' | 'now'>): AppleClient | null {
  const { config, fetch, log, now } = services
  const { APPLE_CLIENT_ID: clientId, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY } = config
  if (!clientId || !APPLE_TEAM_ID || !APPLE_KEY_ID || !APPLE_PRIVATE_KEY) return null
  const keys: AppleKeys = createAppleKeys({ url: config.APPLE_URL, fetch, log, now })
  const read = (token: string) => readIdentityToken(token, { keys, clientId, now: now() })

  /** Our proof to Apple: ES256 by our key, for five minutes. */
  async function clientSecret(): Promise<string> {
    const issuedAt = Math.floor(now().getTime() / 1000)
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: APPLE_KEY_ID })
      .setIssuer(APPLE_TEAM_ID ?? '')
      .setSubject(clientId ?? '')
      .setAudience(appleIssuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 300)
      .sign(await importPKCS8(asPem(APPLE_PRIVATE_KEY ?? ''), 'ES256'))
  }

  async function post(path: string, fields: Record<string, string>): Promise<Response> {
    const form = new URLSearchParams({ client_id: clientId ?? '', client_secret: await clientSecret(), ...fields })
    try {
      return await fetch(`${config.APPLE_URL}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: form.toString(),
        redirect: 'error',
        signal: AbortSignal.timeout(10_000),
      })
    } catch (error) {
      throw appleUnavailable(error)
    }
  }

  return {
    read,
    async redeem(code, subject) {
      const response = await post('/auth/token', { grant_type: 'authorization_code', code })
      const answer: unknown = await response.json().catch(() => null)
      if (!response.ok) {
        const refusal = Refusal.safeParse(answer).data?.error
        if (response.status === 400 && refusal === 'invalid_grant') throw identityRefused()
        // Not the caller's fault: our registration, or Apple itself.
        log.error({ status: response.status, apple_error: refusal?.slice(0, 100) }, 'Apple did not redeem a code')
        throw appleUnavailable()
      }
      const grant = Grant.safeParse(answer)
      if (!grant.success) throw appleUnavailable(grant.error)
      const redeemed = await read(grant.data.id_token)
      if (redeemed.subject !== subject) throw identityRefused()
      return { refreshToken: grant.data.refresh_token ?? null }
    },
    async revoke(refreshToken) {
      const response = await post('/auth/revoke', { token: refreshToken, token_type_hint: 'refresh_token' })
      if (!response.ok && response.status !== 400) throw appleUnavailable()
    },
  }
}

/** A key from an environment may have its line breaks as `\n`. */
const asPem = (text: string) => text.replaceAll('\\n', '\n')

const appleUnavailable = (cause?: unknown) =>
  problem('unavailable', 'Apple cannot be reached right now.', { retryAfterSeconds: 10, cause })
