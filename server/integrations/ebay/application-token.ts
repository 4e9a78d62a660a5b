import { z } from 'zod'
import { type Exchange, jsonOf } from '../http.ts'
import { refusalOf } from '../refusal.ts'
import { faultsOfAnswer } from './errors.ts'
import { languageHeaders } from './marketplaces.ts'

interface ApplicationTokenOptions {
  clientId: string
  clientSecret: string
  apiUrl: string
  exchange: Exchange
  /** Monotonic milliseconds. */
  clock: () => number
}

export interface ApplicationToken {
  /** Returns the cached token, or requests one. Throws PlatformError `unavailable` if eBay issues none. */
  read(signal?: AbortSignal): Promise<string>
  /** Drops the cached token, so the next read requests a new one. */
  forget(): void
}

const Answer = z.looseObject({ access_token: z.string().min(1), expires_in: z.number() })

/** Creates a cache of the application's own token, renewed five minutes before it expires. */
export function createApplicationToken(options: ApplicationTokenOptions): ApplicationToken {
  const { clientId, clientSecret, apiUrl, exchange, clock } = options
  let token: { value: string; untilMs: number } | null = null

  return {
    forget() {
      token = null
    },
    async read(signal) {
      if (token && token.untilMs > clock()) return token.value
      const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      const call = 'the token of the application'
      const answer = await exchange(
        call,
        `${apiUrl}/identity/v1/oauth2/token`,
        {
          method: 'POST',
          headers: {
            accept: 'application/json',
            authorization: `Basic ${credentials}`,
            'content-type': 'application/x-www-form-urlencoded',
            ...languageHeaders(),
          },
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            scope: 'https://api.ebay.com/oauth/api_scope',
          }).toString(),
        },
        signal,
      )
      const parsed = answer.status === 200 ? Answer.safeParse(jsonOf(answer.text)) : null
      if (!parsed?.success) {
        const faults = faultsOfAnswer(answer.text)
        const help = faults.length > 0 ? 'The operator of this server has to check the keys of eBay.' : undefined
        throw refusalOf('ebay', 'unavailable', { call, faults, help, logCode: `http_${answer.status}` })
      }
      token = { value: parsed.data.access_token, untilMs: clock() + (parsed.data.expires_in - 300) * 1_000 }
      return token.value
    },
  }
}
