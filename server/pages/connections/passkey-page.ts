import { createHash } from 'node:crypto'
import type Koa from 'koa'
import { relyingPartyOf } from '#server/accounts/sign-in/passkeys/relying-party.ts'
import { Html, html } from '#server/infra/html.ts'
import { sendPage } from '../layout.ts'

/**
 * The only script of the server's pages, because the passkey API needs one. It fetches nothing: it puts the answer into
 * the form and submits it.
 */
const script = `
const form = document.getElementById('passkey')
const failed = document.getElementById('failed')
const options = JSON.parse(form.dataset.options)
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  failed.hidden = true
  try {
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    })
    form.elements.response.value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch {
    failed.hidden = false
  }
})
`
const scriptHash = createHash('sha256').update(script).digest('base64')

interface PasskeyPage {
  title: string
  lead: string
  action: string
  begun: { challenge_token: string; options: Record<string, unknown> }
  button: string
  back: { href: string; label: string }
}

/** Sends a page that asks the browser for a passkey and submits the answer as a form. */
export function sendPasskeyPage(ctx: Koa.Context, page: PasskeyPage): void {
  const party = relyingPartyOf({ PUBLIC_URL: ctx.state.publicUrl })
  const elsewhere = party && ctx.hostname !== party.id ? party.origin : null
  const policy = String(ctx.response.get('Content-Security-Policy'))
  ctx.set('Content-Security-Policy', `${policy}; script-src 'sha256-${scriptHash}'`)
  sendPage(ctx, {
    title: page.title,
    body: html`<h1>${page.title}</h1>
<p>${page.lead}</p>
<noscript><p class="error">A passkey needs JavaScript. Allow it for this page.</p></noscript>
<p class="error" role="alert" id="failed" hidden>No passkey was used. Try again, or check that this device has one.</p>
${elsewhere && html`<p class="error">Passkeys work at <a href="${elsewhere}/connect/">${elsewhere}</a> only: open that address.</p>`}
<form method="post" action="${page.action}" id="passkey" data-options="${JSON.stringify(page.begun.options)}">
<input type="hidden" name="challenge_token" value="${page.begun.challenge_token}">
<input type="hidden" name="response">
<div><button>${page.button}</button></div>
</form>
<p><a href="${page.back.href}">${page.back.label}</a></p>
${new Html(`<script type="module">${script}</script>`)}`,
  })
}

/** Reads the unverified answer that such a page sent. */
export function passkeyAnswerOf(form: Map<string, string>): { challenge_token: string; response: unknown } {
  const challenge_token = form.get('challenge_token') ?? ''
  try {
    return { challenge_token, response: JSON.parse(form.get('response') ?? '') }
  } catch {
    return { challenge_token, response: null }
  }
}
