import type Koa from 'koa'
import { maskEmail } from '#server/accounts/contact/email.ts'
import { linkInvalid, readMailboxToken } from '#server/accounts/email-verification/mailbox-tokens.ts'
import { confirmPasswordReset } from '#server/accounts/recovery/reset-password.ts'
import { fieldErrors } from '#server/http/answers/translate-error.ts'
import { originOf } from '#server/http/audited.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { confirmPasswordReset as declaration } from '#shared/contract/account/accounts.ts'
import type { FieldError } from '#shared/contract/declaring/errors.ts'
import { readForm, textFields } from '../connections/read-form.ts'
import { sendPage } from '../layout.ts'

/** `/account/reset-password`: a form for the new password. The link stays valid after an unacceptable password. */
export function resetPasswordPages(services: Services): { show: Koa.Middleware; confirm: Koa.Middleware } {
  return {
    async show(ctx) {
      const token = textFields(new URLSearchParams(ctx.querystring)).get('token')
      if (!token) throw linkInvalid()
      await sendForm(ctx, services, { token, endsAll: false, keeps: false })
    },

    async confirm(ctx) {
      const form = await readForm(ctx)
      const token = form.get('token') ?? ''
      const endsAll = form.get('end_everything') === 'yes'
      const keeps = form.get('keep_set_up') === 'yes'
      const body = declaration.body.safeParse({
        token,
        password: form.get('password') ?? '',
        password_confirm: form.get('password_confirm') ?? '',
        end_everything: endsAll,
        keep_set_up: keeps,
      })
      if (!body.success) return sendForm(ctx, services, { token, endsAll, keeps }, fieldErrors(body.error))
      try {
        const user_id = await confirmPasswordReset(services, body.data, ctx.state.address)
        await services.audit.record({ user_id, action: 'password.reset', origin: originOf(ctx) })
      } catch (error) {
        if (!(error instanceof HttpProblem) || error.code !== 'invalid_request') throw error
        return sendForm(ctx, services, { token, endsAll, keeps }, error.errors)
      }
      sendPage(ctx, {
        title: 'The new password is set',
        width: 'form',
        body: html`<h1>The new password is set</h1>
<p class="good" role="status">All sessions have ended. Sign in with the new password wherever you use Hapax.</p>
${endsAll && html`<p>API keys, linked accounts, webhook addresses and the phone number have ended too. A mail lists them, and names the shops that are still connected.</p>`}
<p><a class="button" href="/connect/?to=app">Sign in</a></p>`,
      })
    },
  }
}

/** Sends the form, or reports that the link is invalid before the reader chooses a password. */
async function sendForm(
  ctx: Koa.Context,
  services: Services,
  { token, endsAll, keeps }: { token: string; endsAll: boolean; keeps: boolean },
  errors: FieldError[] = [],
): Promise<void> {
  const { email, email_verified, is_secured } = await readMailboxToken(services, 'reset', token, ctx.state.address)
  const said = (field: string) => {
    const [error] = errors.filter((each) => each.field === field)
    return error && html`<p class="error" id="${field}-problem">${sentence(error.message)}</p>`
  }
  const described = (field: string, more = '') => {
    const ids = [more, errors.some((each) => each.field === field) && `${field}-problem`].filter(Boolean).join(' ')
    return html`${ids !== '' && html` aria-describedby="${ids}"`}${errors.some((each) => each.field === field) && html` aria-invalid="true"`}`
  }
  sendPage(ctx, {
    title: errors.length > 0 ? 'Error: set a new password' : 'Set a new password',
    status: errors.length > 0 ? 400 : 200,
    width: 'form',
    body: html`<h1>Set a new password</h1>
<p>For the account of <strong>${maskEmail(email)}</strong>.</p>
${errors.length > 0 && html`<p class="error" role="alert">The password was not set yet. See below what to change.</p>`}
<form method="post" action="/account/reset-password">
<input type="hidden" name="token" value="${token}">
<label for="password">New password</label>
<p class="hint" id="rules">8 to 128 characters, with a letter and a number.</p>
${said('password')}
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8"${described('password', 'rules')}>
<label for="password_confirm">Repeat password</label>
${said('password_confirm')}
<input id="password_confirm" name="password_confirm" type="password" autocomplete="new-password" required minlength="8"${described('password_confirm')}>
${email_verified && (is_secured ? offerToEndAll(endsAll) : offerToKeep(keeps))}
<div><button>Set the password</button></div>
</form>
${!email_verified && html`<p>Nobody has confirmed this address yet. So API keys, linked accounts, webhook addresses, the phone number and connected shops end too, whoever set them up; connect your shops again afterwards.</p>`}
<p class="soft">All sessions end. If you did not ask for this, close the page: your password stays as it is.</p>`,
  })
}

const offerToEndAll = (
  checked: boolean,
) => html`<label class="choice"><input type="checkbox" name="end_everything" value="yes" aria-describedby="end-everything-hint"${checked && html` checked`}>
Somebody else was in my account: end everything they could have set up</label>
<p class="hint" id="end-everything-hint">Ends API keys, linked accounts, webhook addresses and the phone number. Your shops stay connected; a mail names them.</p>`

const offerToKeep = (
  checked: boolean,
) => html`<p id="keep-hint">The old password was chosen before this address was confirmed, so somebody else may know it. API keys, linked accounts, webhook addresses, the phone number and connected shops end with it.</p>
<label class="choice"><input type="checkbox" name="keep_set_up" value="yes" aria-describedby="keep-hint"${checked && html` checked`}>
Keep them: I set them all up myself</label>`

const sentence = (message: string) =>
  message === 'must equal password' ? 'The two passwords differ.' : `The password ${message}.`
