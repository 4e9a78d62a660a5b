import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import type { ResolveTexts } from '#server/infra/name-server.ts'
import { isWithin } from '../reading/marketplaces.ts'
import type { ParsedMail } from '../reading/parse-mail.ts'

export type Verified =
  /** `signed_at`: when the sender wrote it, if that is signed. */
  | { outcome: 'valid'; signed_at: Date | null }
  | { outcome: 'invalid' }
  /** No name server answered. */
  | { outcome: 'unreachable' }

const algorithms: ReadonlySet<unknown> = new Set(['rsa-sha256', 'ed25519-sha256'])
const mustSign = ['from', 'to', 'subject']

/**
 * Verifies that a marketplace's own domain has signed a mail (DKIM). Stricter than the library: the signature covers the
 * whole body and the headers From, To and Subject, of which there is one each. Signatures of senders that work for the
 * marketplace, such as sendgrid.info, do not count, and their keys are not looked up.
 *
 * `at`: arrival, by which a signature must not have expired.
 */
export async function verifySignature(
  raw: Buffer,
  { domain, counts, date, at }: Pick<ParsedMail, 'counts' | 'date'> & { domain: string; at: Date },
  resolve: ResolveTexts,
): Promise<Verified> {
  if (Object.values(counts).some((count) => count > 1)) return { outcome: 'invalid' }
  const { results } = await dkimVerify(raw, {
    strict: true,
    minBitLength: 1024,
    curTime: at,
    resolver: async (name: string) => {
      const key = name.toLowerCase().replace(/\.$/, '')
      if (!isWithin(key, domain)) throw Object.assign(new Error('another domain'), { code: 'ENOTFOUND' })
      return resolve(key)
    },
  })
  const own = results.filter(({ signingDomain }) => isWithin((signingDomain ?? '').toLowerCase(), domain))
  for (const { status, algo, canonBodyLengthLimited, signingHeaders, signTime } of own) {
    const signed = (signingHeaders?.keys ?? '').toLowerCase().split(': ')
    const covers = mustSign.every((name) => signed.includes(name))
    if (status.result !== 'pass' || !algorithms.has(algo) || canonBodyLengthLimited || !covers) continue
    const signed_at = signed.includes('date') && date ? date : signTime ? new Date(signTime) : null
    return { outcome: 'valid', signed_at }
  }
  return { outcome: own.some(({ status }) => status.result === 'temperror') ? 'unreachable' : 'invalid' }
}
