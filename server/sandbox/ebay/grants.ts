import { randomBytes } from 'node:crypto'

export interface Grant {
  seller: string
  scopes: string[]
  /** Epoch ms. */
  expiresAt: number
}

/** Tokens as saved in the state file. */
export interface SavedGrants {
  refresh: Record<string, Grant>
  access: Record<string, Grant>
}

const codeSeconds = 299
export const accessSeconds = 7_200
export const refreshSeconds = 47_304_000

/**
 * Issues codes and tokens. A code works once, an access token two hours, and a refresh token stays the same for 18
 * months.
 */
export function createGrants(options: {
  clock: () => Date
  saved?: SavedGrants
  onChange?: (saved: SavedGrants) => void
}) {
  const codes = new Map<string, Grant>()
  /** The application's own tokens with their end, in epoch ms; lost at a restart. */
  const applications = new Map<string, number>()
  const saved: SavedGrants = { refresh: { ...options.saved?.refresh }, access: { ...options.saved?.access } }
  const now = () => options.clock().getTime()
  // Real eBay codes and tokens have these characters, which careless clients mangle.
  const newToken = (kind: string) => `v^1.1#i^1#p^3#${kind}^${randomBytes(48).toString('base64')}`
  const save = () => {
    for (const [token, grant] of Object.entries(saved.access)) if (grant.expiresAt < now()) delete saved.access[token]
    options.onChange?.(saved)
  }
  const living = (grant: Grant | undefined) => (grant && grant.expiresAt > now() ? grant : undefined)

  function issueAccess(grant: Pick<Grant, 'seller' | 'scopes'>): string {
    const token = newToken('t')
    saved.access[token] = { seller: grant.seller, scopes: grant.scopes, expiresAt: now() + accessSeconds * 1000 }
    save()
    return token
  }

  return {
    issueCode(seller: string, scopes: string[]): string {
      const code = newToken('c')
      codes.set(code, { seller, scopes, expiresAt: now() + codeSeconds * 1000 })
      return code
    },

    /** Exchanges a code for tokens; null when it is unknown, used or expired. */
    redeemCode(code: string): { access_token: string; refresh_token: string } | null {
      const grant = living(codes.get(code))
      codes.delete(code)
      if (!grant) return null
      const refresh_token = newToken('r')
      saved.refresh[refresh_token] = { ...grant, expiresAt: now() + refreshSeconds * 1000 }
      return { access_token: issueAccess(grant), refresh_token }
    },

    /** Issues a token for the application itself, without a seller. */
    issueApplication(): string {
      const token = newToken('a')
      applications.set(token, now() + accessSeconds * 1000)
      return token
    },

    isApplication: (token: string) => (applications.get(token) ?? 0) > now(),

    /** Issues an access token with the same or fewer scopes; null when the refresh token is invalid. */
    refresh(refreshToken: string, scopes?: string[]): string | null {
      const grant = living(saved.refresh[refreshToken])
      if (!grant || scopes?.some((scope) => !grant.scopes.includes(scope))) return null
      return issueAccess({ seller: grant.seller, scopes: scopes ?? grant.scopes })
    },

    /** Returns the grant of an access token, or why it is rejected. */
    check(accessToken: string): Grant | 'unknown' | 'expired' {
      const grant = saved.access[accessToken]
      if (!grant) return 'unknown'
      return living(grant) ?? 'expired'
    },

    /** Revokes a seller's consent and every token that came of it. */
    revoke(seller: string): void {
      for (const tokens of [saved.refresh, saved.access]) {
        for (const [token, grant] of Object.entries(tokens)) if (grant.seller === seller) delete tokens[token]
      }
      save()
    },

    /** Expires a seller's access tokens; refresh tokens stay valid. */
    expireAccess(seller: string): void {
      for (const grant of Object.values(saved.access)) if (grant.seller === seller) grant.expiresAt = 0
      options.onChange?.(saved)
    },
  }
}
export type Grants = ReturnType<typeof createGrants>
