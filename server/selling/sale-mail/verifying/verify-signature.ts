import type { ResolveTexts } from '#server/infra/name-server.ts'
import { isWithin } from '../reading/marketplaces.ts'
import { type HeaderField, type ParsedMail, parseMail, splitMail } from '../reading/parse-mail.ts'

export type Verified =
  /** `signed_at`: when the sender wrote it, if that is signed. `mail`: what was signed, and nothing else. */
  | { outcome: 'valid'; signed_at: Date | null; mail: ParsedMail }
  | { outcome: 'invalid' }
  /** No name server answered. */
  | { outcome: 'unreachable' }

const algorithms: ReadonlySet<unknown> = new Set(['rsa-sha256', 'ed25519-sha256'])
const mustSign = ['from', 'to', 'subject']
/** The headers that a reader shows, or reads the body by. */
const read = [...mustSign, 'date', 'mime-version', 'content-type', 'content-transfer-encoding']

/**
 * Verifies that a marketplace's own domain has signed a mail (DKIM). Stricter than the library: the signature covers the
 * whole body and the headers From, To and Subject, and there is one at most of each header that is read. Signatures of
 * senders that work for the marketplace, such as sendgrid.info, do not count, and their keys are not looked up.
 *
 * A mail that is valid is read anew from the headers that the signature covers, since anybody may add others.
 *
 * `at`: arrival, by which a signature must not have expired. Throws MalformedMailError.
 */
export async function verifySignature(
  raw: Buffer,
  { domains, at }: { domains: readonly string[]; at: Date },
  resolve: ResolveTexts,
): Promise<Verified> {
  const { fields, body, isCrlf } = splitMail(raw)
  const shown = fields.filter(({ name }) => read.includes(name))
  if (!isCrlf || new Set(shown.map(({ name }) => name)).size < shown.length) return { outcome: 'invalid' }
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js')
  const { results } = await dkimVerify(raw, {
    strict: true,
    minBitLength: 1024,
    curTime: at,
    resolver: async (name: string) => {
      const key = name.toLowerCase().replace(/\.$/, '')
      if (!isWithin(key, domains)) throw Object.assign(new Error('another domain'), { code: 'ENOTFOUND' })
      return resolve(key)
    },
  })
  const own = results.filter(({ signingDomain }) => isWithin((signingDomain ?? '').toLowerCase(), domains))
  for (const { status, algo, canonBodyLengthLimited, signingHeaders, signTime } of own) {
    const lines = new Set(signingHeaders?.headers)
    const signed = shown.filter((field) => lines.has(bytesOf(field).toString()))
    const covers = mustSign.every((must) => signed.some(({ name }) => name === must))
    if (status.result !== 'pass' || !algorithms.has(algo) || canonBodyLengthLimited || !covers) continue
    const header = signed.flatMap((field) => [bytesOf(field), Buffer.from('\r\n')])
    const mail = await parseMail(Buffer.concat([...header, Buffer.from('\r\n'), body]))
    return { outcome: 'valid', signed_at: mail.date ?? (signTime ? new Date(signTime) : null), mail }
  }
  return { outcome: own.some(({ status }) => status.result === 'temperror') ? 'unreachable' : 'invalid' }
}

const bytesOf = ({ text }: HeaderField) => Buffer.from(text, 'latin1')
