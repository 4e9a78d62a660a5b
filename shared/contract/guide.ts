import { type ErrorCode, problems } from './declaring/errors.ts'
import { eventData, itemData } from './event-data.ts'
import { advice } from './selling/advice.ts'

/** Rules of every endpoint, with code in backticks. The OpenAPI document and `/docs` begin with it. */
export const guide: { title: string; lines: string[] }[] = [
  {
    title: 'Start here',
    lines: [
      'Register with `POST /api/auth/register/email/` and make a key with `POST /api/v1/api-keys/`. Register an address for events with `POST /api/v1/webhooks/`. Add an item with `POST /api/v1/inventory/`, and `item.created` arrives. List it with `POST /api/v1/inventory/{uid}/platforms/{slug}/list/` once a shop is connected.',
    ],
  },
  {
    title: 'Credentials',
    lines: [
      'Send `Authorization: Bearer hpxt_…` (a session, from registering or signing in) or `X-API-Key: hpxk_…` (a key, from `POST /api/v1/api-keys/`), never both. Each endpoint names the scope that a key needs. Endpoints for the account, its keys and connecting a shop accept a session only.',
    ],
  },
  {
    title: 'Values',
    lines: [
      'Requests and responses are JSON in UTF-8. An unknown member or query parameter is refused, so that typos are noticed. Responses may gain new members, and enumerations new values: ignore what you do not know.',
      'Times are RFC 3339. Responses use UTC (`Z`); requests need a time zone. Dates are in UTC. `…_minor` is an integer in the smallest unit of its currency (1999 in USD is 19.99, 1999 in JPY is 1999). `price` is decimal text such as `"24.00"`.',
      'Titles, labels and product ids are trimmed; in a SKU, white space becomes one space. URLs are stored as browsers write them (`https://example.com` becomes `https://example.com/`); a webhook URL loses its fragment. Everything else is returned as it was sent. An empty optional field of an address counts as left out.',
    ],
  },
  {
    title: 'Errors',
    lines: [
      'Every error is `application/problem+json` (RFC 9457): branch on `code`, show `detail`, quote `request_id` (also in `X-Request-Id`). `errors` names each wrong field by its path (`offer.price_minor`, `images.0`) with its own code: `required`, `unknown_member`, `invalid_type`, `invalid_value`, `invalid_format`, `too_small`, `too_big` and more specific ones. A request that is refused with 4xx changed nothing.',
    ],
  },
  {
    title: 'Repeating a request',
    lines: [
      'Some requests accept `Idempotency-Key` (1 to 255 visible ASCII characters, one per action; a UUID works). For 24 hours the same key with the same body returns the first response with `Idempotency-Replayed: true`, and nothing is done twice. A different request with the key gets 422 `idempotency_key_reused`; while the first one runs, 409 `request_in_flight` with `Retry-After`. A failed request releases its key. Secrets are never stored: repeating a request that created one gets 409 `secret_already_shown`.',
      'GET, PUT and DELETE are safe to repeat; repeating a finished DELETE returns 404. To change an item, send the `version` that you read, in the body or as `If-Match`. If somebody else changed the item meanwhile, you get 409 `stale_version` and your change is not written.',
    ],
  },
  {
    title: 'Pages',
    lines: [
      '`page_size` is 20 by default and at most 100. Lists that grow return `next_cursor`: send it as `cursor`, with the same filters, until it is null. A page of large items may be shorter than requested. An entry that matches the filters throughout appears exactly once, whatever is added or changed meanwhile. Lists of an import or a bulk job take `page`, starting at 1.',
    ],
  },
  {
    title: 'Limits',
    lines: [
      'A key may send 600 requests a minute, a user 1,200, and an address without a credential 100. Endpoints that issue tokens allow 20 an address, pages and documents 300. `RateLimit` and `RateLimit-Policy` show what is left; 429 carries `Retry-After` in seconds. Taking a listing down is never rate limited.',
    ],
  },
  {
    title: 'Caching and browsers',
    lines: [
      'Answers of `GET` have an `ETag`. Send it back as `If-None-Match`: while nothing changed you get 304 without a body. The `ETag` of an item is also an `If-Match` for changing it. Answers above 2 kB are compressed where `Accept-Encoding` names `br` or `gzip`. Browser apps may call the API from origins that the operator has allowed, with a key or token and never with cookies.',
    ],
  },
  {
    title: 'Events',
    lines: [
      'Events are delivered to webhooks, as a stream of server-sent events, and as a list. An event is the same in all three: `seq` grows with each event of the account, and `id` stays the same however often the event is delivered. Events are kept for 30 days. Continue from the last `seq` that you handled: with `Last-Event-ID` on the stream, with `after` on the list. A gap between numbers is no loss: tests of a webhook use numbers, too.',
      'A webhook receives each event at least once, and the events of one item in order. Use `id` to drop duplicates and `seq` to find the newer of two. Deliveries are signed as in Standard Webhooks: `webhook-signature` is a space-separated list (two signatures for 24 hours after a rotation, one by each secret); each `v1,` is followed by the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`. Sign the exact bytes of the body. The key is the base64-decoded rest of your `whsec_…` secret. Reject timestamps more than five minutes off. Answer 2xx within 10 seconds. Anything else is retried after 5 s, 30 s, 2 min and so on for three days; `Retry-After` is respected. 410, or five days without a success, disables the webhook. Redirects are not followed.',
      `Every event about an item that exists has ${itemData} in its \`data\`. To mirror the stock, store \`item\` of each event under \`inventory_item_uid\`, and drop the item on \`item.deleted\` and \`item.merged\`.`,
      `What \`data\` carries: ${Object.entries(eventData)
        .map(([type, { when, data }]) => `\`${type}\`: ${when} Data: ${data}.`)
        .join(' · ')}`,
    ],
  },
  {
    title: 'Changes of this API',
    lines: [
      'New members of answers, new values of enumerations, new operations and new optional parameters come without notice. Anything else is announced in the changelog, six months before it ends at the earliest.',
    ],
  },
]

/** Returns the guide as Markdown, with every error code and its advice. */
export function guideAsMarkdown(): string {
  const codes = (Object.keys(problems) as ErrorCode[]).map(
    (code) => `- \`${code}\` (${problems[code][0]}): ${problems[code][1]}. ${advice[code]}`,
  )
  const parts = guide.map(({ title, lines }) => `## ${title}\n\n${lines.map(asList).join('\n\n')}`)
  return [...parts, `## Error codes\n\n${codes.join('\n')}`].join('\n\n')
}

const asList = (line: string) => line.replaceAll(' · ', '\n- ').replace('carries: `', 'carries:\n\n- `')
