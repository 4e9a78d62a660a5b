/** Loads the package at the first use of a passkey, since it takes a tenth of the server's start. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
