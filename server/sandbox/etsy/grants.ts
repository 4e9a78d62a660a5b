import { createHash, randomBytes } from 'node:crypto'

export interface Grant {
  userId: number
  scopes: string[]
  /** Epoch ms. */
  expiresAt: number
}

/** A code, bound to its challenge and redirect address. */
interface CodeGrant extends Grant {
  redirectUri: string
  challenge: string
}

/** Tokens as saved in the state file. */
export interface SavedGrants {
  refresh: Record<string, Grant>
  access: Record<string, Grant>
}

export interface IssuedTokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
}

const codeSeconds = 300
const accessSeconds = 3_600
const refreshSeconds = 90 * 86_400

/**
 * Issues codes and tokens. A code works once and with PKCE, an access token one hour, a refresh token once within 90
 * days.
 */
export function createGrants(options: {
  clock: () => Date
  saved?: SavedGrants
  onChange?: (saved: SavedGrants) => void
}) {
  const codes = new Map<string, CodeGrant>()
  const saved: SavedGrants = { refresh: { ...options.saved?.refresh }, access: { ...options.saved?.access } }
  const now = () => options.clock().getTime()
  const newToken = (userId: number) => `${userId}.${randomBytes(60).toString('base64url')}`
  const living = <Saved extends Grant>(grant: Saved | undefined) => (grant && grant.expiresAt > now() ? grant : null)
  const save = () => {
    for (const [token, grant] of Object.entries(saved.access)) if (grant.expiresAt < now()) delete saved.access[token]
    options.onChange?.(saved)
  }

  function issue({ userId, scopes }: Pick<Grant, 'userId' | 'scopes'>): IssuedTokens {
    const access_token = newToken(userId)
    const refresh_token = newToken(userId)
    saved.access[access_token] = { userId, scopes, expiresAt: now() + accessSeconds * 1000 }
    saved.refresh[refresh_token] = { userId, scopes, expiresAt: now() + refreshSeconds * 1000 }
    save()
    return { access_token, token_type: 'Bearer', expires_in: accessSeconds, refresh_token }
  }

  return {
    /** Issues a user's tokens as after a consent in the browser. */
    issue,

    issueCode(grant: { userId: number; scopes: string[]; redirectUri: string; challenge: string }): string {
      const code = randomBytes(48).toString('base64url')
      codes.set(code, { ...grant, expiresAt: now() + codeSeconds * 1000 })
      return code
    },

    /** Exchanges a code for tokens, or returns Etsy's reason. The first attempt uses the code up. */
    redeemCode(code: string, redirectUri: string, verifier: string): IssuedTokens | string {
      const grant = living(codes.get(code))
      codes.delete(code)
      if (!grant) return 'code is invalid, expired or has been used before'
      if (grant.redirectUri !== redirectUri) return 'redirect_uri does not match the one of the code'
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      return challenge === grant.challenge ? issue(grant) : 'code_verifier does not match code_challenge'
    },

    /** Returns a new pair and invalidates the refresh token; null when it is invalid. */
    refresh(refreshToken: string): IssuedTokens | null {
      const grant = living(saved.refresh[refreshToken])
      delete saved.refresh[refreshToken]
      if (grant) return issue(grant)
      save()
      return null
    },

    /** Whether a user's consent is still valid. */
    hasConsent: (userId: number): boolean =>
      Object.values(saved.refresh).some((grant) => grant.userId === userId && living(grant) !== null),

    /** Returns the grant of an access token; null when it is unknown or expired. */
    check: (accessToken: string): Grant | null => living(saved.access[accessToken]),

    /** Revokes a user's consent, or follows a changed password: all their tokens become invalid. */
    revoke(userId: number): void {
      for (const tokens of [saved.refresh, saved.access]) {
        for (const [token, grant] of Object.entries(tokens)) if (grant.userId === userId) delete tokens[token]
      }
      save()
    },

    /** Expires a user's access tokens; refresh tokens stay valid. */
    expireAccess(userId: number): void {
      for (const grant of Object.values(saved.access)) if (grant.userId === userId) grant.expiresAt = 0
      save()
    },
  }
}
export type Grants = ReturnType<typeof createGrants>
