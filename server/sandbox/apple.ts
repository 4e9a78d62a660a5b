import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, importSPKI, type JWK, jwtVerify, SignJWT } from 'jose'
import { escapeHtml } from './kit/html.ts'
import { html, json, type SandboxRequest, type SandboxResponse } from './kit/http.ts'
import { createLocalServer, readRequest, send } from './kit/listener.ts'
import { createPage } from './kit/pages.ts'

const issuer = 'https://appleid.apple.com'

const page = createPage({ name: 'Sandbox Apple', banner: 'made-up people on your own machine', accent: '#1c1c1e' })

export interface ApplePerson {
  sub: string
  email?: string
  /** Apple sends both forms. */
  email_verified?: boolean | 'true' | 'false'
  is_private_email?: boolean | 'true' | 'false'
}

export interface AppleSandbox {
  url: string
  /** Environment variables that point the server at this instead of Apple. */
  environment: Record<string, string>
  /** Returns an identity token and its code, as after a consent. `claims` and `header` forge the token. */
  signIn(
    person: ApplePerson,
    change?: { claims?: object; header?: object; clientId?: string },
  ): Promise<{ identity_token: string; authorization_code: string }>
  /** Returns a server-to-server notification, signed with the newest key. */
  notify(type: string, sub: string, change?: { claims?: object }): Promise<string>
  /** Signs these claims, and no others, with the newest key. */
  sign(claims: object, header?: object): Promise<string>
  /** Signs with a new key from now on. `withdraw`: serves the old keys no longer. */
  rotateKey(withdraw?: boolean): Promise<void>
  /** Returns the public keys as served. */
  keySet(): { keys: JWK[] }
  requests: { method: string; path: string }[]
  /** Revoked refresh tokens. */
  revoked: string[]
  /** `down`: cuts every connection. `broken`: answers 500. */
  state: 'up' | 'down' | 'broken'
  close(): Promise<void>
}

interface Key {
  kid: string
  secret: CryptoKey
  jwk: JWK
}

/**
 * Starts the sandbox Apple: keys, redemption of codes with an ES256 client secret, revocation, and a page to sign in on.
 * Codes work once, for five minutes.
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
  /** Live refresh tokens, with the client that each was issued to. */
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
    close: () => server.close(),
  }

  /** Whether the client id is known and the secret was made for it. */
  async function isOurClient(form: URLSearchParams): Promise<boolean> {
    const given = form.get('client_id') ?? ''
    if (![clientId, servicesId].includes(given)) return false
    const options = { algorithms: ['ES256'], issuer: teamId, subject: given, audience: issuer }
    return jwtVerify(form.get('client_secret') ?? '', publicKey, options).then(
      () => true,
      () => false,
    )
  }

  async function answerRevoke(form: URLSearchParams): Promise<SandboxResponse> {
    if (!(await isOurClient(form))) return json({ error: 'invalid_client' }, 400)
    // Apple answers 200 to any token of a known client, also to an unknown one, as developers report.
    const token = form.get('token') ?? ''
    if (grants.get(token) === form.get('client_id') && grants.delete(token)) apple.revoked.push(token)
    return { status: 200, type: 'text/plain', body: '' }
  }

  async function answerToken(form: URLSearchParams): Promise<SandboxResponse> {
    if (!(await isOurClient(form))) return json({ error: 'invalid_client' }, 400)
    if (form.get('grant_type') !== 'authorization_code') return json({ error: 'unsupported_grant_type' }, 400)
    const code = form.get('code') ?? ''
    const known = codes.get(code)
    codes.delete(code)
    if (!known || known.expiresMs < Date.now()) return json({ error: 'invalid_grant' }, 400)
    if (known.clientId !== form.get('client_id')) return json({ error: 'invalid_grant' }, 400)
    // Codes of web pages come with the redirect address; codes of apps have none.
    const redirect = known.clientId === servicesId ? redirectUri : null
    if (form.get('redirect_uri') !== redirect) return json({ error: 'invalid_grant' }, 400)
    const refreshToken = `r${randomBytes(24).toString('hex')}`
    grants.set(refreshToken, known.clientId)
    return json({
      access_token: `a${randomBytes(16).toString('hex')}`,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: refreshToken,
      id_token: await apple.sign(claimsOf(known.person, known.clientId)),
    })
  }

  async function handle(request: SandboxRequest): Promise<SandboxResponse | null> {
    const { method, path } = request
    apple.requests.push({ method, path })
    if (apple.state === 'down') return null
    if (apple.state === 'broken') return json({ error: 'server_error' }, 500)
    const form = new URLSearchParams(request.body)
    switch (`${method} ${path}`) {
      case 'GET /auth/keys':
        return json(apple.keySet())
      case 'POST /auth/token':
        return answerToken(form)
      case 'POST /auth/revoke':
        return answerRevoke(form)
      case 'GET /':
        return signInPage(request.query.get('email') ?? '')
      default:
        return json({ error: 'not_found' }, 404)
    }
  }

  /** Shows the body that an app would send to `POST /api/auth/apple/`. */
  async function signInPage(email: string): Promise<SandboxResponse> {
    const sub = `000000.${Buffer.from(email).toString('hex')}.0000`
    const signedIn = email === '' ? null : await apple.signIn({ sub, email, email_verified: true })
    const body = signedIn
      ? `<p>The body for <code>POST /api/auth/apple/</code>:</p><pre>${escapeHtml(JSON.stringify(signedIn, null, 2))}</pre>`
      : ''
    return html(
      page(
        'Sign in as',
        `<form><label>Email <input name="email" type="email" required value="${escapeHtml(email)}"></label><button class="primary">Sign in</button></form>\n${body}`,
      ),
    )
  }

  const server = createLocalServer((message, response) => {
    readRequest(message)
      .then(handle)
      .then(
        (answer) => (answer ? send(response, answer) : message.socket.destroy()),
        () => response.writeHead(500).end(),
      )
  })
  apple.url = await server.listen(options.port ?? 0)
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
