import { createHash, randomBytes } from 'node:crypto'

export interface Grant {
  userId: number
  scopes: string[]
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** A code waits for the verifier of its challenge, at the address it was sent to. */
interface CodeGrant extends Grant {
  redirectUri: string
  challenge: string
}

/** Tokens in a form that can be saved in a file. */
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

/** The sandbox's codes and tokens: codes once and with PKCE, access tokens an hour, refresh tokens 90 days and once. */
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
    /** Tokens of a user as if they had consented in a browser. */
    issue,

    issueCode(grant: { userId: number; scopes: string[]; redirectUri: string; challenge: string }): string {
      const code = randomBytes(48).toString('base64url')
      codes.set(code, { ...grant, expiresAt: now() + codeSeconds * 1000 })
      return code
    },

    /** Tokens for a code; else why not, in Etsy's manner. A code is spent by the first try, right or wrong. */
    redeemCode(code: string, redirectUri: string, verifier: string): IssuedTokens | string {
      const grant = living(codes.get(code))
      codes.delete(code)
      if (!grant) return 'code is invalid, expired or has been used before'
      if (grant.redirectUri !== redirectUri) return 'redirect_uri does not match the one of the code'
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      return challenge === grant.challenge ? issue(grant) : 'code_verifier does not match code_challenge'
    },

    /** A new pair for a refresh token, which is dead from now on; null when it is not accepted (any more). */
    refresh(refreshToken: string): IssuedTokens | null {
      const grant = living(saved.refresh[refreshToken])
      delete saved.refresh[refreshToken]
      if (grant) return issue(grant)
      save()
      return null
    },

    /** Whether a user's consent stands. */
    hasConsent: (userId: number): boolean =>
      Object.values(saved.refresh).some((grant) => grant.userId === userId && living(grant) !== null),

    /** Who an access token speaks for; null when it is unknown or expired. */
    check: (accessToken: string): Grant | null => living(saved.access[accessToken]),

    /** The seller withdraws the consent, or changes the password: every token of theirs is dead. */
    revoke(userId: number): void {
      for (const tokens of [saved.refresh, saved.access]) {
        for (const [token, grant] of Object.entries(tokens)) if (grant.userId === userId) delete tokens[token]
      }
      save()
    },

    /** Access tokens run out at once, refresh tokens live on. */
    expireAccess(userId: number): void {
      for (const grant of Object.values(saved.access)) if (grant.userId === userId) grant.expiresAt = 0
      save()
    },
  }
}
export type Grants = ReturnType<typeof createGrants>
