import type Koa from 'koa'
import { relyingPartyOf } from '#server/accounts/sign-in/passkeys/relying-party.ts'
import { html } from '#server/infra/html.ts'
import { sendPage } from '../layout.ts'

/** The passkey API needs a script. It fetches nothing: it puts the answer into the form and submits it. */
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

/**
 * Sends the page that signs in with a passkey: it asks the browser for one and submits the answer as a form. `query`
 * keeps where the seller wants to go.
 */
export function sendPasskeyPage(
  ctx: Koa.Context,
  begun: { challenge_token: string; options: Record<string, unknown> },
  query: string,
): void {
  const party = relyingPartyOf({ PUBLIC_URL: ctx.state.publicUrl })
  const elsewhere = party && ctx.hostname !== party.id ? party.origin : null
  sendPage(ctx, {
    title: 'Sign in with a passkey',
    body: html`<h1>Sign in with a passkey</h1>
<p>Your browser or phone asks for your fingerprint, face or PIN.</p>
<noscript><p class="error">A passkey needs JavaScript. Allow it for this page.</p></noscript>
<p class="error" role="alert" id="failed" hidden>No passkey was used. Try again, or check that this device has one.</p>
${elsewhere && html`<p class="error">Passkeys work at <a href="${elsewhere}/connect/">${elsewhere}</a> only: open that address.</p>`}
<form method="post" action="/connect/passkey/finish/${query}" id="passkey" data-options="${JSON.stringify(begun.options)}">
<input type="hidden" name="challenge_token" value="${begun.challenge_token}">
<input type="hidden" name="response">
<div><button>Continue</button></div>
</form>
<p><a href="/connect/${query}">Use your password instead</a></p>`,
    script,
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
