import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createResolveTexts, nameServerAddress } from '#server/infra/name-server.ts'
import { type NameServer, startNameServer } from '#server/sandbox/name-server.ts'
import { MalformedMailError, parseMail, splitMail } from '../reading/parse-mail.ts'
import { capturedMail, publishKeys, type Signing, sign } from '../testing/signed-mail.ts'
import { verifySignature } from './verify-signature.ts'

let dns: NameServer
beforeAll(async () => {
  dns = await startNameServer()
  publishKeys(dns, 'poshmark.com', 'em.poshmark.com', 'sendgrid.info', 'notposhmark.com', 'poshmark.com.example')
})
afterAll(() => dns?.close())

const at = new Date()
const mail = capturedMail('poshmark-sale', { to: 'wilma@example.com', date: at })

/** Verifies as a decision does. A mail that cannot be read has no outcome. */
async function verify(raw: string) {
  const bytes = Buffer.from(raw, 'latin1')
  const isRead = await parseMail(bytes).catch((error: unknown) => {
    if (error instanceof MalformedMailError) return null
    throw error
  })
  if (!isRead) return { outcome: 'malformed' } as const
  return verifySignature(bytes, { domains: ['poshmark.com'], at }, createResolveTexts(dns.address))
}
const outcome = async (signing: Partial<Signing>, change = (text: string) => text) =>
  (await verify(change(await sign(mail, { domain: 'poshmark.com', ...signing })))).outcome

describe('the signature of a sale mail', () => {
  it.each<[string, Partial<Signing>]>([
    ['rsa-sha256', {}],
    ['ed25519-sha256', { kind: 'ed25519' }],
    ['a domain below its own', { domain: 'em.poshmark.com' }],
    ['the headers that name sender, recipient and item', { headers: ['From', 'To', 'Subject'] }],
    ['a signature that expires later', { expires: new Date(at.getTime() + 3_600_000) }],
  ])('counts with %s', async (_, signing) => expect(await outcome(signing)).toBe('valid'))

  it.each<[string, Partial<Signing>]>([
    ['rsa-sha1', { algorithm: 'rsa-sha1' }],
    ['a body length', { bodyLength: 10 }],
    ['an end in the past', { signedAt: new Date(at.getTime() - 9_000_000), expires: new Date(at.getTime() - 5_000) }],
    ['the domain of a mail service', { domain: 'sendgrid.info' }],
    ['a domain that ends alike', { domain: 'notposhmark.com' }],
    ['a domain that begins alike', { domain: 'poshmark.com.example' }],
    ['an unsigned To', { headers: ['From', 'Subject', 'Date'] }],
    ['an unsigned Subject', { headers: ['From', 'To', 'Date'] }],
  ])('does not count with %s', async (_, signing) => expect(await outcome(signing)).toBe('invalid'))

  it.each([
    'From: Eve <eve@example.com>',
    'To: eve@example.com',
    'Subject: another',
    'Date: Mon, 05 Oct 2026 09:12:47 +0000',
  ])('does not count with a second header "%s"', async (header) => {
    expect(await outcome({}, (text) => `${header}\r\n${text}`)).toBe('invalid')
    expect(await outcome({}, (text) => text.replace('\r\n\r\n', `\r\n${header}\r\n\r\n`))).toBe('invalid')
  })

  it('does not count for another body or without a key', async () => {
    expect(await outcome({}, (text) => text.replace('COAT-0042', 'COAT-0043'))).toBe('invalid')
    expect(await outcome({}, (text) => text.replace('s=rsa', 's=old'))).toBe('invalid')
    expect((await verify(mail)).outcome).toBe('invalid')
  })

  it('waits while no name server answers', async () => {
    dns.setSilent(true)
    expect(await outcome({})).toBe('unreachable')
    const before = dns.asked()
    expect(await outcome({ domain: 'sendgrid.info' })).toBe('invalid')
    expect(dns.asked()).toBe(before)
    dns.setSilent(false)
  })

  it('tells when the mail was written only if that is signed', async () => {
    const signedAt = new Date(Math.floor(at.getTime() / 1_000) * 1_000 - 60_000)
    const headers = ['From', 'To', 'Subject']
    expect(await verify(await sign(mail, { domain: 'poshmark.com' }))).toMatchObject({
      signed_at: new Date(at.toUTCString()),
    })
    expect(await verify(await sign(mail, { domain: 'poshmark.com', headers, signedAt }))).toMatchObject({
      signed_at: signedAt,
    })
  })
})

describe('a mail that says more than was signed', () => {
  const forged =
    'From: Poshmark <orders@poshmark.com>\r\nTo: eve@example.com\r\nSubject: "Moby" just sold to @b on Poshmark!\r\n'

  it.each(
    [
      '\r\r\n',
      '\r\r\r\n',
      '\n',
      '\n\n',
      '\r',
      ' \r\n',
      '\t\r\n',
      '\xA0\r\n',
      '\0\r\n',
      'words\r\n',
      ': x\r\n',
      'A b: x\r\n',
    ].map((end) => [JSON.stringify(end), end]),
  )('is not read where %s may end its header', async (_, end) => {
    expect(await verify(`${forged}${end}${await sign(mail, { domain: 'poshmark.com' })}`)).toEqual({
      outcome: 'malformed',
    })
  })

  it('is read as its signed headers say', async () => {
    const plain = mail.replace(/^(?:Content-Type|MIME-Version): .*\r\n(?:[ \t].*\r\n)*/gm, '')
    const signed = await sign(plain, { domain: 'poshmark.com', headers: ['From', 'To', 'Subject'] })
    const before = await verify(signed)
    expect(before).toMatchObject({ outcome: 'valid', mail: { from: ['orders@poshmark.com'], date: null } })
    for (const added of [
      'Content-Type: multipart/mixed; boundary="=_hapax_example_0"\r\nMIME-Version: 1.0\r\n',
      'Content-Transfer-Encoding: base64\r\n',
      'Content-Disposition: attachment\r\n',
    ])
      expect(await verify(added + signed)).toEqual(before)
  })

  it.each(['Content-Type: text/plain', 'Content-Transfer-Encoding: 7bit', 'MIME-Version: 1.0'])(
    'does not count with a second "%s"',
    async (header) => {
      const once = mail.replace(/^Content-Transfer-Encoding: .*\r\n/m, '')
      const signed = await sign(`Content-Transfer-Encoding: 8bit\r\n${once}`, { domain: 'poshmark.com' })
      expect(await verify(`${header}\r\n${signed}`)).toEqual({ outcome: 'invalid' })
    },
  )

  it('does not count with line ends that no mail has on its way', async () => {
    const signed = await sign(mail, { domain: 'poshmark.com' })
    expect(await verify(signed.replaceAll('\r\n', '\n'))).toEqual({ outcome: 'invalid' })
  })

  it('is refused or read as signed, whatever is put into it', async () => {
    const signed = await sign(mail, { domain: 'poshmark.com' })
    const genuine = await verify(signed)
    expect(genuine).toMatchObject({ outcome: 'valid' })
    const header = signed.indexOf('\r\n\r\n')
    const piece = fc.constantFrom(
      ...['\r', '\n', '\r\n', '\0', ' ', '\t', ':', 'x', '\xA0', '\x85', '\xEF\xBB\xBF', '\x0B', '\x0C', 'X-A: b'],
      ...['From: eve@example.com', 'Subject: forged', 'To: eve@example.com', 'Content-Type: text/html', 'Date: now'],
    )
    const change = fc.tuple(fc.nat(header + 4), fc.nat(3), fc.array(piece, { minLength: 1, maxLength: 6 }))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let text = signed
        for (const [at, cut, pieces] of changes) text = text.slice(0, at) + pieces.join('') + text.slice(at + cut)
        const result = await verify(text)
        if (result.outcome === 'valid') expect(result).toEqual(genuine)
      }),
      { seed: 1, numRuns: 1_000 },
    )
  })

  it('has one header for every parser, or is refused', async () => {
    const piece = fc.constantFrom(
      ...[
        '\r',
        '\n',
        '\r\n',
        '\r\n',
        '\r\n',
        ' ',
        '\t',
        ':',
        ': ',
        'From',
        'subject',
        'x',
        '=',
        '\xA0',
        '\xC3\xA4',
        '\x0B',
        '"',
      ],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const raw = Buffer.from(`From: a@b\r\n${pieces.join('')}\r\n\r\nbody`, 'latin1')
        let fields: ReturnType<typeof splitMail>['fields']
        try {
          fields = splitMail(raw).fields
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMailError)
          return
        }
        const verified = (await dkimVerify(raw)).headers!.parsed
        expect(verified.map(({ line }) => line.toString('latin1'))).toEqual(fields.map(({ text }) => text))
        const shown = await PostalMime.parse(raw)
        expect(shown.headers.map(({ key }) => key)).toEqual(fields.map(({ name }) => name))
      }),
      { seed: 1, numRuns: 2_000 },
    )
  })
})

it('knows the address of a name server', () => {
  expect(['127.0.0.1:5353', 'localhost:53', '[::1]:53'].map(nameServerAddress)).toEqual([
    '127.0.0.1:5353',
    '127.0.0.1:53',
    '[::1]:53',
  ])
  expect(['dns.example:53', '127.0.0.1', '127.0.0.1:0'].map(nameServerAddress)).toEqual([null, null, null])
})
