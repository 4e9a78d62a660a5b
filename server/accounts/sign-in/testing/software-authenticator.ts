import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** An authenticator after Web Authentication Level 3 that signs any claim. */
export interface SoftwareAuthenticator {
  /** Plays `navigator.credentials.create`. */
  create(options: { challenge: string }, claims?: Claims): Credential
  /** Plays `navigator.credentials.get`. */
  get(options: { challenge: string }, claims?: Claims): Credential
}

/** Parts of a response; the defaults are those of an honest passkey on this device. */
export interface Claims {
  origin?: string
  rpId?: string
  userPresent?: boolean
  userVerified?: boolean
  signCount?: number
}

export interface Credential extends Record<string, unknown> {
  id: string
  response: Record<string, unknown>
}

/** Flags of the authenticator data of WebAuthn. */
const flag = { userPresent: 0x01, userVerified: 0x04, attestedCredential: 0x40 }

/** Creates an authenticator with one P-256 key, for the pages at `origin`. */
export function softwareAuthenticator(origin: string): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  const id = randomBytes(16)

  const clientData = (type: string, challenge: string, claims: Claims) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: claims.origin ?? origin, crossOrigin: false }))

  const authenticatorData = (claims: Claims, flags: number, attested = Buffer.alloc(0)) => {
    const { rpId = new URL(origin).hostname, userPresent = true, userVerified = true, signCount = 0 } = claims
    const count = Buffer.alloc(4)
    count.writeUInt32BE(signCount)
    const set = flags | (userPresent ? flag.userPresent : 0) | (userVerified ? flag.userVerified : 0)
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([set]), count, attested])
  }

  const credential = (response: Record<string, Buffer>): Credential => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  })

  return {
    create({ challenge }, claims = {}) {
      // COSE_Key (RFC 9052): kty EC2, alg ES256, curve P-256, x, y.
      const key = cborMap([
        [cborInteger(1), cborInteger(2)],
        [cborInteger(3), cborInteger(-7)],
        [cborInteger(-1), cborInteger(1)],
        [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ])
      const aaguid = Buffer.alloc(16)
      const attested = Buffer.concat([aaguid, Buffer.from([0, id.length]), id, key])
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authenticatorData(claims, flag.attestedCredential, attested))],
      ])
      return credential({ clientDataJSON: clientData('webauthn.create', challenge, claims), attestationObject })
    },

    get({ challenge }, claims = {}) {
      const clientDataJSON = clientData('webauthn.get', challenge, claims)
      const data = authenticatorData(claims, 0)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), privateKey)
      return credential({ clientDataJSON, authenticatorData: data, signature })
    },
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** Encodes CBOR (RFC 8949) as far as credentials need it: lengths below 256. */
const cborHead = (major: number, value: number) =>
  value < 24 ? Buffer.from([(major << 5) | value]) : Buffer.from([(major << 5) | 24, value])
const cborInteger = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborMap = (entries: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
