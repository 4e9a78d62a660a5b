import type { ErrorCode } from './errors.ts'

/** Advice for each error code, shown in the reference. */
export const advice: Record<ErrorCode, string> = {
  invalid_request:
    'Correct what `errors` names, each with its field and code; where there is none, what `detail` says.',
  invalid_json: 'Send one JSON value in UTF-8, without a member given twice.',
  ambiguous_credentials: 'Send either `Authorization` or `X-API-Key`.',
  code_invalid: 'Ask for a new code or link. Wrong, used and expired are one answer.',
  passkey_refused: 'Begin again: each challenge is answered once, within five minutes, on the page of this server.',
  wrong_password: 'Give the password that the account has now.',
  address_required: 'Set it with `PUT /api/v1/user/address/`, then send the request again.',
  connection_required: 'Connect a shop of the platform, then send the request again.',
  seller_account_required:
    'Name one of `GET /api/v1/seller-accounts/` as `seller_account_uid`; an import by `jobs/create/`.',
  platform_not_connectable: 'Read this platform with the browser extension.',
  choice_required: 'Choose what `errors` names; `GET …/platforms/{slug}/choices/` gives the possible values.',
  country_not_supported: 'Use a number of a country that this server sends texts to, or an email address.',
  unauthenticated: 'The credential is missing, wrong, expired or ended. Sign in again, or use another key.',
  second_factor_required:
    'Send `signin_token` of this answer with a code to `POST /api/auth/login/second-factor/`; that answers the token.',
  invalid_credentials: 'Ask for the email address and password again, or reset the password.',
  invalid_identity_token: 'Start signing in with the provider anew; each of its tokens is taken once.',
  invalid_signature: 'Sign the exact bytes of the body with the secret that is agreed.',
  subscription_required:
    'Subscribe at `/connect/subscription/`; `GET /api/v1/user/subscription/` says how it stands. Taking down is never refused.',
  wrong_credential_kind: 'Use a bearer token: API keys do not reach the account and its connections.',
  reauthentication_required:
    'Prove who you are with `POST /api/auth/reauthenticate/`, or sign in again, then send the request again.',
  insufficient_scope: 'Use a key that has the scope which `detail` names.',
  not_found: 'Check the id. What is not yours and what does not exist are the same answer.',
  method_not_allowed: 'Use one of the methods of the `Allow` header.',
  conflict: 'Read the thing again; `detail` says what stands against it.',
  email_in_use: 'Sign in, or use another address.',
  phone_in_use: 'Sign in, or use another number.',
  identity_in_use: 'Sign in with the account that the identity is linked to.',
  too_many_keys: 'Delete a key that is not used any more.',
  quota_exceeded: 'Delete items that are no longer needed, or ask whoever runs this server for more.',
  secret_already_shown: 'The first request was done; its secret is not kept. Rotate what it made, or delete it.',
  request_in_flight: 'Wait for `Retry-After` and send the same request with the same key.',
  platform_not_configured: 'Tell whoever runs this server: it has no credentials for the platform.',
  shop_in_use: 'Disconnect the shop in the other account first.',
  business_policies_required:
    'The seller turns business policies on at eBay, or by `POST /api/v1/platforms/ebay/business-policies/`; eBay takes up to 24 hours. Then try again.',
  reconnect_required: 'Let the seller connect the shop again.',
  stale_version: 'Read the item, apply the change to what it is now, and send its new `version`.',
  sku_in_use: 'Use another SKU, or change the item that has this one: `GET /api/v1/inventory/?sku=`.',
  changed_since: 'Read what it is now. What was done since would be lost, so change it by hand.',
  already_resolved: 'Read the import item: its `resolution` says what was decided.',
  not_available: 'Read the item; only one that is `available` can be listed or sold.',
  replay_under_way: 'Wait for as many seconds as `Retry-After` says, then ask for the replay again.',
  still_listed: 'Take it down from the platforms that `detail` names, then send the request again.',
  signature_refused: 'Sign the exact bytes of the body with a key that the platform publishes.',
  payload_too_large: 'Send less at once: 1 MB unless the endpoint says otherwise.',
  unsupported_media_type: 'Send `Content-Type: application/json`, in UTF-8.',
  misdirected_request: 'Send the request to the address that the document names under `servers`.',
  idempotency_key_reused: 'Use a new `Idempotency-Key` for each thing to do, and the same one only to repeat it.',
  rate_limited: 'Wait for as many seconds as `Retry-After` says.',
  daily_quota_exceeded: 'Wait for as many seconds as `Retry-After` says; taking down goes on meanwhile.',
  internal:
    'Send the request again, with the same `Idempotency-Key` where it had one; if it stays, quote `request_id`.',
  platform_failed: 'Read the state of the thing, and try again later; `detail` says what the platform answered.',
  unavailable: 'Wait for as many seconds as `Retry-After` says, then send the request again.',
}
