import { z } from 'zod'

/**
 * The closed list of error codes with status and title. A code never changes its meaning; clients branch on it, not on
 * the text.
 */
export const problems = {
  invalid_request: [400, 'The request is not valid'],
  invalid_json: [400, 'The body is not valid JSON'],
  ambiguous_credentials: [400, 'Send one credential, not two'],
  code_invalid: [400, 'The code or token is wrong, used or expired'],
  passkey_refused: [400, 'The passkey was not accepted'],
  wrong_password: [400, 'The current password is wrong'],
  address_required: [400, 'Add your shipping address first'],
  connection_required: [400, 'Connect the platform first'],
  seller_account_required: [400, 'Several shops are connected: name one'],
  reconnect_required: [400, 'The platform asks the seller to sign in again'],
  platform_not_connectable: [400, 'This platform is read by the extension; there is nothing to connect'],
  choice_required: [400, 'The platform needs a choice from you'],
  country_not_supported: [400, 'Texts cannot be sent to this country'],
  file_not_stock: [400, 'The file is no list of stock'],
  file_not_understood: [400, 'The columns of the file are not understood'],
  invalid_image: [400, 'The image cannot be read'],
  mailbox_refused: [400, 'The mailbox could not be opened'],
  unauthenticated: [401, 'A valid credential is needed'],
  second_factor_required: [401, 'A second factor is needed'],
  invalid_credentials: [401, 'Email or password is wrong'],
  invalid_identity_token: [401, 'The identity token was not accepted'],
  invalid_signature: [401, 'The signature was not accepted'],
  subscription_required: [402, 'An active subscription is needed'],
  wrong_credential_kind: [403, 'This endpoint takes another kind of credential'],
  reauthentication_required: [403, 'Prove who you are again first'],
  insufficient_scope: [403, 'The API key lacks the scope for this'],
  registration_closed: [403, 'This server takes no new accounts from strangers'],
  not_found: [404, 'There is no such thing here'],
  method_not_allowed: [405, 'This method is not allowed here'],
  conflict: [409, 'The current state does not allow this'],
  email_in_use: [409, 'This email address is already in use'],
  phone_in_use: [409, 'This phone number is already in use'],
  identity_in_use: [409, 'This identity is already linked'],
  too_many_keys: [409, 'There are 25 API keys already'],
  quota_exceeded: [409, 'The account holds as much as it may'],
  secret_already_shown: [409, 'The secret was shown once and cannot be shown again'],
  request_in_flight: [409, 'The first request with this Idempotency-Key is still running'],
  platform_not_configured: [409, 'This server has no credentials for the platform'],
  shop_in_use: [409, 'Another account holds this shop'],
  stale_version: [409, 'The item has changed since you read it'],
  sku_in_use: [409, 'Another item has this SKU'],
  changed_since: [409, 'It has changed since'],
  already_resolved: [409, 'This was already decided differently'],
  not_available: [409, 'The item is not available'],
  replay_under_way: [409, 'Another replay is under way'],
  still_listed: [409, 'The item is still live on a platform'],
  signature_refused: [412, 'The signature was not accepted'],
  payload_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'A body of this kind is not taken here'],
  unsupported_image: [415, 'This image format is not supported'],
  misdirected_request: [421, 'This host is not served here'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for another request'],
  rate_limited: [429, 'Too many requests'],
  daily_quota_exceeded: [429, 'The account did as much today as it may'],
  internal: [500, 'Something went wrong on our side'],
  platform_failed: [502, 'The platform did not do what was asked'],
  unavailable: [503, 'The service cannot answer right now'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof problems
export const errorCodes = Object.keys(problems) as [ErrorCode, ...ErrorCode[]]

/** Returns the HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return problems[code][0]
}

/** Returns the title of an error code. */
export function titleOf(code: ErrorCode): string {
  return problems[code][1]
}

export const FieldError = z.object({
  field: z.string().describe('Path of the member, such as offer.price_minor'),
  code: z.string().describe('The stable code to branch on'),
  message: z.string().describe('A sentence for people'),
})
export type FieldError = z.infer<typeof FieldError>

/** An error body, application/problem+json (RFC 9457). */
export const Problem = z
  .object({
    type: z.string().describe('The type'),
    title: z.string().describe('The title'),
    status: z.int().describe('The status'),
    detail: z.string().describe('A sentence for people'),
    code: z.enum(errorCodes).describe('The stable code to branch on'),
    request_id: z.string().describe('Quote it when you ask about the request'),
    errors: z.array(FieldError).optional().describe('The errors, or how many there were'),
    signin_token: z
      .string()
      .optional()
      .describe('With `second_factor_required`: for `POST /api/auth/login/second-factor/`'),
    file_kind: z
      .enum(['sales', 'orders', 'payouts'])
      .optional()
      .describe('With `file_not_stock`: what the file lists instead'),
    expires_at: z.iso.datetime().optional().describe('With `signin_token`: when it ends'),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof Problem>
