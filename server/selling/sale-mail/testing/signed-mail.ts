import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DKIMSignOptions } from 'mailauth'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import type { NameServer } from '#server/sandbox/name-server.ts'

const keys = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ed25519: generateKeyPairSync('ed25519'),
}

/** Returns the text of a key's record. */
function recordOf(kind: keyof typeof keys): string {
  const der = keys[kind].publicKey.export({ type: 'spki', format: 'der' })
  return `v=DKIM1; k=${kind}; p=${(kind === 'rsa' ? der : der.subarray(-32)).toString('base64')}`
}

/** Publishes the tests' keys of a domain, under the selectors `rsa` and `ed25519`. */
export function publishKeys(dns: NameServer, ...domains: string[]): void {
  for (const domain of domains) {
    for (const kind of ['rsa', 'ed25519'] as const) dns.texts.set(`${kind}._domainkey.${domain}`, recordOf(kind))
  }
}

export interface Signing {
  domain: string
  kind?: keyof typeof keys
  algorithm?: string
  /** The headers that are signed. */
  headers?: string[]
  bodyLength?: number
  signedAt?: Date
  expires?: Date
}

const usualHeaders = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type']

/** Signs a mail as a sender does, and returns it with the signature in front. */
export async function sign(mail: string, signing: Signing): Promise<string> {
  const { domain, kind = 'rsa', algorithm, headers = usualHeaders, bodyLength, signedAt, expires } = signing
  const key = {
    signingDomain: domain,
    selector: kind,
    privateKey: keys[kind].privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    canonicalization: 'relaxed/relaxed',
    algorithm: algorithm ?? `${kind}-sha256`,
    ...(bodyLength !== undefined && { maxBodyLength: bodyLength }),
  } as const
  const { signatures, errors } = await dkimSign(mail, {
    ...(signedAt && { signTime: signedAt }),
    ...(expires && { expires }),
    headerList: headers,
    ...key,
    signatureData: [key],
  } as DKIMSignOptions)
  if (errors.length > 0) throw errors[0]!.err
  return signatures + mail
}

/** Returns a captured mail with lines that end as in SMTP, to a recipient and of a date. */
export function capturedMail(name: string, { to, date = new Date() }: { to: string; date?: Date }): string {
  return readFileSync(new URL(`../reading/fixtures/${name}.eml`, import.meta.url), 'utf8')
    .replace(/^Authentication-Results:.*\n(?:[ \t].*\n)*/m, '')
    .replace(/^To: .*$/m, `To: Wilma Example <${to}>`)
    .replace(/^Date: .*$/m, `Date: ${date.toUTCString().replace('GMT', '+0000')}`)
    .replace(/\r?\n/g, '\r\n')
}
