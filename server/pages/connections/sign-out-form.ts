import { html } from '#server/infra/html.ts'

/** Signs out of these pages; stands on each that only somebody signed in sees. */
export const signOutForm = html`<form method="post" action="/connect/sign-out/"><button class="plain">Sign out</button></form>`
