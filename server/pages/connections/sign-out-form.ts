import { html } from '#server/infra/html.ts'

/** The form that signs out, shown on every page that requires a session. */
export const signOutForm = html`<form method="post" action="/connect/sign-out/"><button class="plain">Sign out</button></form>`
