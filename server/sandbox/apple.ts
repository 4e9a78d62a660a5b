import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, importSPKI, type JWK, jwtVerify, SignJWT } from 'jose'
import { escapeHtml } from '#server/infra/html.ts'

const issuer = 'https://appleid.apple.com'

export interface ApplePerson {
  sub: string
  email?: string
  /** Apple sends both forms. */
  email_verified?: boolean | 'true' | 'false'
  is_private_email?: boolean | 'true' | 'false'
}

export interface AppleSandbox {
  url: string
  /** What the server's environment needs to use this instead of Apple. */
  environment: Record<string, string>
  /** As after a consent: an identity token and its code. `claims` and `header` change the token, for forgeries. */
  signIn(
    person: ApplePerson,
    change?: { claims?: object; header?: object; clientId?: string },
  ): Promise<{ identity_token: string; authorization_code: string }>
  /** A server-to-server notification, signed with the newest key, as Apple documents it. */
  notify(type: string, sub: string, change?: { claims?: object }): Promise<string>
  /** A token signed with the newest key, with these claims alone. */
  sign(claims: object, header?: object): Promise<string>
  /** Takes a new key into use; `withdraw` true forgets the others. */
  rotateKey(withdraw?: boolean): Promise<void>
  /** The public keys as they are served. */
  keySet(): { keys: JWK[] }
  requests: { method: string; path: string }[]
  /** Refresh tokens that were revoked. */
  revoked: string[]
  /** `down`: every connection is cut. `broken`: answers 500. */
  state: 'up' | 'down' | 'broken'
  close(): Promise<void>
}

interface Key {
  kid: string
  secret: CryptoKey
  jwk: JWK
}

/**
 * Apple's identity service on 127.0.0.1, as far as a server sees it: keys, the redemption of codes with an ES256
 * client secret, revocation; and a page where a person of the sandbox signs in. Codes work once, for five minutes.
 */
export async function startAppleSandbox(options: { port?: number; clientId?: string } = {}): Promise<AppleSandbox> {
  const clientId = options.clientId ?? 'app.hapax.sandbox'
  const servicesId = `${clientId}.web`
  const redirectUri = 'https://hapax.example/apple'
  const [teamId, keyId] = ['SANDBOXTEAM', 'SANDBOXKEY']
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privatePem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicKey = await importSPKI(pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'ES256')

  let keys: Key[] = [await newKey(1)]
  const codes = new Map<string, { person: ApplePerson; clientId: string; expiresMs: number }>()
  /** Live refresh tokens and the client that each was issued to. */
  const grants = new Map<string, string>()
  const apple: AppleSandbox = {
    url: '',
    environment: {},
    requests: [],
    revoked: [],
    state: 'up',
    keySet: () => ({ keys: keys.map(({ jwk }) => jwk) }),
    async sign(claims, header = {}) {
      const key = keys.at(-1) as Key
      return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header }).sign(key.secret)
    },
    async signIn(person, change = {}) {
      const code = `c${randomBytes(24).toString('hex')}.0.sandbox`
      const issuedTo = change.clientId ?? clientId
      codes.set(code, { person, clientId: issuedTo, expiresMs: Date.now() + 300_000 })
      // Apple's tokens differ by the hash of their code.
      const c_hash = randomBytes(16).toString('base64url')
      const claims = { ...claimsOf(person, issuedTo), c_hash, ...change.claims }
      return { identity_token: await apple.sign(claims, change.header), authorization_code: code }
    },
    notify(type, sub, change = {}) {
      const now = Math.floor(Date.now() / 1000)
      const events = JSON.stringify({ type, sub, event_time: now * 1000 })
      return apple.sign({
        iss: issuer,
        aud: clientId,
        iat: now,
        jti: randomBytes(12).toString('hex'),
        events,
        ...change.claims,
      })
    },
    async rotateKey(withdraw = false) {
      const key = await newKey(keys.length + 1)
      keys = withdraw ? [key] : [...keys, key]
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  /** Whether the client proves itself: a known client id, and a secret for exactly it. */
  async function isOurClient(form: URLSearchParams): Promise<boolean> {
    const given = form.get('client_id') ?? ''
    if (![clientId, servicesId].includes(given)) return false
    const options = { algorithms: ['ES256'], issuer: teamId, subject: given, audience: issuer }
    return jwtVerify(form.get('client_secret') ?? '', publicKey, options).then(
      () => true,
      () => false,
    )
  }

  async function answerRevoke(form: URLSearchParams): Promise<{ status: number; body: object }> {
    if (!(await isOurClient(form))) return { status: 400, body: { error: 'invalid_client' } }
    const token = form.get('token') ?? ''
    if (grants.get(token) !== form.get('client_id')) return { status: 400, body: { error: 'invalid_grant' } }
    grants.delete(token)
    apple.revoked.push(token)
    return { status: 200, body: {} }
  }

  async function answerToken(form: URLSearchParams): Promise<{ status: number; body: object }> {
    if (!(await isOurClient(form))) return { status: 400, body: { error: 'invalid_client' } }
    if (form.get('grant_type') !== 'authorization_code')
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    const code = form.get('code') ?? ''
    const known = codes.get(code)
    codes.delete(code)
    if (!known || known.expiresMs < Date.now()) return { status: 400, body: { error: 'invalid_grant' } }
    if (known.clientId !== form.get('client_id')) return { status: 400, body: { error: 'invalid_grant' } }
    // A code of a web page names the address it was sent to; a code of an app has none.
    const redirect = known.clientId === servicesId ? redirectUri : null
    if (form.get('redirect_uri') !== redirect) return { status: 400, body: { error: 'invalid_grant' } }
    const refreshToken = `r${randomBytes(24).toString('hex')}`
    grants.set(refreshToken, known.clientId)
    return {
      status: 200,
      body: {
        access_token: `a${randomBytes(16).toString('hex')}`,
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: refreshToken,
        id_token: await apple.sign(claimsOf(known.person, known.clientId)),
      },
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    apple.requests.push({ method: request.method ?? '', path: url.pathname })
    if (apple.state === 'down') return void request.socket.destroy()
    const json = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (apple.state === 'broken') return json(500, { error: 'server_error' })
    if (url.pathname === '/auth/keys') return json(200, apple.keySet())
    if (request.method === 'POST' && url.pathname === '/auth/token') {
      const { status, body } = await answerToken(new URLSearchParams(await readText(request)))
      return json(status, body)
    }
    if (request.method === 'POST' && url.pathname === '/auth/revoke') {
      const { status, body } = await answerRevoke(new URLSearchParams(await readText(request)))
      return json(status, body)
    }
    if (url.pathname === '/') return sendPerson(response, url, apple)
    json(404, { error: 'not_found' })
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  apple.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  apple.environment = {
    APPLE_URL: apple.url,
    APPLE_CLIENT_ID: clientId,
    APPLE_SERVICES_ID: servicesId,
    APPLE_REDIRECT_URI: redirectUri,
    APPLE_TEAM_ID: teamId,
    APPLE_KEY_ID: keyId,
    APPLE_PRIVATE_KEY: privatePem,
  }
  return apple
}

function claimsOf(person: ApplePerson, clientId: string): object {
  const now = Math.floor(Date.now() / 1000)
  return { iss: issuer, aud: clientId, iat: now, exp: now + 86_400, auth_time: now, nonce_supported: true, ...person }
}

async function newKey(number: number): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = `SANDBOX${number}`
  return { kid, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' } }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** What an app would be handed, ready to be sent to `POST /api/auth/apple/`. */
async function sendPerson(response: ServerResponse, url: URL, apple: AppleSandbox): Promise<void> {
  const email = url.searchParams.get('email') ?? ''
  const signedIn =
    email === ''
      ? null
      : await apple.signIn({ sub: `000000.${Buffer.from(email).toString('hex')}.0000`, email, email_verified: true })
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Sandbox Apple</title>
<body style="font:16px/24px system-ui;max-width:640px;margin:0 auto;padding:16px"><h1>Sandbox Apple</h1>
<form><label for="email">Who signs in?</label><br><input id="email" name="email" type="email" required value="${escapeHtml(email)}"> <button>Sign in</button></form>
${signedIn ? `<p>The body for <code>POST /api/auth/apple/</code>:</p><pre style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(JSON.stringify(signedIn, null, 2))}</pre>` : ''}</body></html>`)
}
