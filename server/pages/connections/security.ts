import type Koa from 'koa'
import { renderSVG } from 'uqr'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from '#server/accounts/auth/passkeys/add-passkey.ts'
import {
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  type SecondFactorState,
  secondFactorOf,
} from '#server/accounts/auth/second-factor/totp.ts'
import { endOtherSessions, endSession, listSessions } from '#server/accounts/auth/sessions/list-sessions.ts'
import { originOf } from '#server/http/audited.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { type Html, html, Html as Markup } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import { contract } from '#shared/contract/index.ts'
import type { Passkey } from '#shared/contract/passkeys.ts'
import type { Session } from '#shared/contract/sessions.ts'
import { sendPage } from '../layout.ts'
import { passkeyAnswerOf, sendPasskeyPage } from './passkey-page.ts'
import { seeOther } from './see-other.ts'
import { type PageSession, signedIn } from './session.ts'
import { signOutForm } from './sign-out-form.ts'

const path = '/connect/security/'

/**
 * `/connect/security/`: the seller's sessions, passkeys, authenticator app and recovery codes. Sessions of these pages
 * last 15 minutes, so their authentication is always recent enough for these changes.
 */
export function securityPages(services: Services) {
  const { db } = services
  const guard = signedIn(db, 'security')

  /** Handles a form. Unless it sends a page of its own, the browser returns to this one. */
  const form = (act: (ctx: Koa.Context, session: PageSession, fields: Map<string, string>) => Promise<unknown>) =>
    guard.form(async (ctx, session, fields) => {
      await act(ctx, session, fields)
      if (!ctx.body) seeOther(ctx, path)
    })

  const record = (ctx: Koa.Context, { user_id }: PageSession, action: AuditAction, target?: string) =>
    services.audit.record({ user_id, action, ...(target === undefined ? {} : { target }), origin: originOf(ctx) })

  return {
    showSecurityPage: guard.page(async (ctx, session) => {
      const { user_id } = session
      sendSecurity(ctx, session, {
        sessions: await listSessions(services, session),
        passkeys: await listPasskeys(db, user_id),
        factor: await secondFactorOf(db, user_id),
      })
    }),

    endSessionOnPage: form(async (ctx, session) => {
      const uid = String(ctx.params.uid)
      const ended = await endSession(db, { user_id: session.user_id, uid })
      if (ended) await record(ctx, session, 'session.ended', uid)
    }),

    endOtherSessionsOnPage: form(async (ctx, session) => {
      await endOtherSessions(db, session)
      await record(ctx, session, 'session.ended')
    }),

    beginTotpOnPage: form(async (ctx, { user_id, account_name }) => {
      const { secret, otpauth_uri } = await beginTotp(services, { id: user_id, name: account_name })
      sendApp(ctx, { secret, otpauth_uri })
    }),

    confirmTotpOnPage: form(async (ctx, session, fields) => {
      try {
        const codes = await confirmTotp(services, session.user_id, (fields.get('code') ?? '').slice(0, 20))
        await record(ctx, session, 'second_factor.enabled')
        sendCodes(ctx, codes)
      } catch (error) {
        if (!(error instanceof HttpProblem) || error.code !== 'code_invalid') throw error
        sendApp(ctx, null)
      }
    }),

    removeTotpOnPage: form(async (ctx, session) => {
      const removed = await unlessGone(removeTotp(services, session.user_id))
      if (removed) await record(ctx, session, 'second_factor.disabled')
    }),

    renewRecoveryCodesOnPage: form(async (ctx, session) => {
      const codes = await renewRecoveryCodes(services, session.user_id)
      await record(ctx, session, 'recovery_codes.renewed')
      sendCodes(ctx, codes)
    }),

    beginPasskeyOnPage: form(async (ctx, { user_id, account_name }) => {
      sendPasskeyPage(ctx, {
        title: 'Add a passkey',
        lead: 'A passkey signs you in with your fingerprint, face or PIN, in place of the password.',
        action: `${path}passkeys/`,
        kind: 'create',
        begun: await beginPasskey(services, { id: user_id, name: account_name }),
        fields: html`<label for="name">Name of this device</label>
<input id="name" name="name" required maxlength="100" placeholder="Work laptop" autocomplete="off">`,
        button: 'Add the passkey',
        back: { href: path, label: 'Back to sign-in and security' },
      })
    }),

    addPasskeyOnPage: form(async (ctx, session, fields) => {
      const body = contract.addPasskey.body.safeParse({ ...passkeyAnswerOf(fields), name: fields.get('name') })
      if (!body.success) throw problem('passkey_refused')
      const { uid } = await addPasskey(services, session, body.data)
      await record(ctx, session, 'passkey.created', uid)
    }),

    removePasskeyOnPage: form(async (ctx, session) => {
      const uid = String(ctx.params.uid)
      const removed = await unlessGone(removePasskey(services, session.user_id, uid))
      if (removed) await record(ctx, session, 'passkey.deleted', uid)
    }),
  }
}

/** Returns false if a repeated request finds the work done already. */
const unlessGone = (work: Promise<void>) =>
  work.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof HttpProblem) || error.code !== 'not_found') throw error
      return false
    },
  )

function sendSecurity(
  ctx: Koa.Context,
  { account_name }: PageSession,
  { sessions, passkeys, factor }: { sessions: Session[]; passkeys: Passkey[]; factor: SecondFactorState },
): void {
  sendPage(ctx, {
    title: 'Sign-in and security',
    body: html`<h1>Sign-in and security</h1>
<p>Account: <strong>${account_name}</strong></p>
<h2>Authenticator app</h2>
${appState(factor)}
<h2>Passkeys</h2>
${passkeys.length === 0 ? html`<p class="soft">None yet. A passkey signs you in with your fingerprint, face or PIN.</p>` : html`<ul>${passkeys.map(passkeyLine)}</ul>`}
<form method="post" action="${path}passkeys/begin/"><button class="plain">Add a passkey</button></form>
<h2>Where you are signed in</h2>
<ul>${sessions.map(sessionLine)}</ul>
${sessions.length > 1 && html`<form method="post" action="${path}sessions/end-others/"><button class="plain">Sign out everywhere else</button></form>`}
<p class="hint">The extension uses an API key, which is not listed here.</p>
<p><a href="/connect/">Back to your shops</a></p>`,
  })
}

function appState({ totp_confirmed_at, recovery_codes_left }: SecondFactorState): Html {
  if (!totp_confirmed_at) {
    return html`<p>After the password, sign-in asks for a code of an app on your phone. It is safer than a code by text message: phone
numbers can be taken over, and with an app a text alone no longer signs in.</p>
<form method="post" action="${path}app/"><button>Set up an app</button></form>`
  }
  return html`<p><strong class="good">On</strong> since ${day(totp_confirmed_at)}. ${recovery_codes_left} recovery codes left.</p>
<form method="post" action="${path}recovery-codes/"><button class="plain">Get new recovery codes</button></form>
<details><summary>Remove the app</summary>
<p>Sign-in then asks for the password only.</p>
<form method="post" action="${path}app/remove/"><button class="plain">Remove the app</button></form></details>`
}

const passkeyLine = ({ uid, name, created_at, last_used_at }: Passkey): Html => html`<li><strong>${name}</strong>,
added ${day(created_at)}${last_used_at ? html`, used ${day(last_used_at)}` : ', not used yet'}
<details><summary>Remove</summary>
<form method="post" action="${path}passkeys/${uid}/remove/"><button class="plain">Remove ${name}</button></form></details></li>`

const sessionLine = (session: Session): Html => html`<li><strong>${session.device}</strong>${
  session.is_current && html` <span class="good">this page</span>`
}<br><span class="soft">${session.network ?? 'unknown network'}, signed in ${day(session.created_at)}${
  session.last_used_at && html`, used ${day(session.last_used_at)}`
}</span>
${session.is_current ? signOutForm : html`<form method="post" action="${path}sessions/${session.uid}/end/"><button class="plain">Sign out</button></form>`}</li>`

/** Shows the secret to scan; null after a wrong code, when the secret is not shown again. */
function sendApp(ctx: Koa.Context, shown: { secret: string; otpauth_uri: string } | null): void {
  sendPage(ctx, {
    title: shown ? 'Set up an authenticator app' : 'Error: set up an authenticator app',
    status: shown ? 200 : 400,
    body: html`<h1>Set up an authenticator app</h1>
${
  shown
    ? html`<ol><li>Scan this code with your app.
<div class="qr" role="img" aria-label="QR code of the secret">${new Markup(renderSVG(shown.otpauth_uri, { border: 2 }))}</div>
Or type this secret: <code>${shown.secret.match(/.{4}/g)?.join(' ')}</code></li>
<li>Enter the 6 digits that the app then shows.</li></ol>`
    : html`<p class="error" role="alert" id="problem">This code does not work. Enter the newest code of the app.</p>`
}
<form method="post" action="${path}app/confirm/">
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="40"${!shown && html` aria-describedby="problem"`}>
<div><button>Switch it on</button></div>
</form>
<p><a href="${path}">Cancel</a></p>`,
  })
}

function sendCodes(ctx: Koa.Context, codes: string[]): void {
  sendPage(ctx, {
    title: 'Your recovery codes',
    body: html`<h1>Your recovery codes</h1>
<p>Keep these codes where you find them without your phone. Each signs you in once, after the password. They are shown this once.</p>
<pre>${codes.join('\n')}</pre>
<p><a class="button" href="${path}">I have kept them</a></p>`,
  })
}

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const day = (iso: string): Html => html`<time datetime="${iso}">${days.format(new Date(iso))} UTC</time>`
