import { advice } from './advice.ts'
import { type ErrorCode, problems } from './errors.ts'
import { eventData, itemData } from './event-data.ts'

/** Rules of every endpoint, with code in backticks. The OpenAPI document and `/docs` begin with it. */
export const guide: { title: string; lines: string[] }[] = [
  {
    title: 'Credentials',
    lines: [
      'Send `Authorization: Bearer hpxt_…` (a session, from registering or signing in) or `X-API-Key: hpxk_…` (a key, from `POST /api/v1/api-keys/`), never both. A key has scopes; each endpoint says which one it needs. Account, keys and connecting a shop take a session only.',
    ],
  },
  {
    title: 'Values',
    lines: [
      'Requests and answers are JSON in UTF-8. A member or query parameter that is not known is refused, so that a misspelt one is noticed. Answers may get new members, and lists of values new ones: ignore what you do not know.',
      'Times are RFC 3339; answers give UTC (`Z`), requests need a zone. Dates are of UTC. `…_minor` is a whole number of the smallest unit of its currency (1999 in USD is 19.99, 1999 in JPY is 1999); `price` is decimal text such as `"24.00"`.',
      'Titles, labels and ids of products lose white space at their ends; in a SKU white space becomes one space. Web addresses are kept as browsers write them (`https://example.com` becomes `https://example.com/`), that of a webhook without its fragment. Everything else is given back as it was sent. An optional text of an address that is empty counts as left out.',
    ],
  },
  {
    title: 'Errors',
    lines: [
      'Every error is `application/problem+json` (RFC 9457): branch on `code`, show `detail`, quote `request_id` (also in `X-Request-Id`). `errors` names each wrong field by its path (`offer.price_minor`, `images.0`) with a code of its own: `required`, `unknown_member`, `invalid_type`, `invalid_value`, `invalid_format`, `too_small`, `too_big` and others that say more. A request that is refused with 4xx changed nothing.',
    ],
  },
  {
    title: 'Repeating a request',
    lines: [
      'Where a request takes `Idempotency-Key` (1 to 255 visible ASCII characters, one for each thing to do; a UUID will do), the same key with the same body is answered for 24 hours as the first time, with `Idempotency-Replayed: true`, and nothing is done twice. Another request with the key is 422 `idempotency_key_reused`; while the first one runs, 409 `request_in_flight` with `Retry-After`. A request that failed leaves its key free. A secret is never kept: repeating a request that made one is 409 `secret_already_shown`.',
      'GET, PUT and DELETE may be repeated as they are; a DELETE that was done already answers 404. For changes to an item send the `version` that you read, in the body or as `If-Match`: a change that somebody else made meanwhile is 409 `stale_version`, and yours is not written.',
    ],
  },
  {
    title: 'Pages',
    lines: [
      '`page_size` is 20 unless told and 100 at most. Lists that grow give `next_cursor`: send it as `cursor`, with the same filters, until it is null. A page of large items is shorter than asked for. What matches the filters all the while is shown once, whatever is added or changed meanwhile. Lists of an import or a bulk job take `page`, from 1.',
    ],
  },
  {
    title: 'Limits',
    lines: [
      'A key has 600 requests a minute, a user 1,200, an address without credential 100, and 20 for what gives out tokens; pages and documents 300. `RateLimit` and `RateLimit-Policy` say how much is left; 429 carries `Retry-After` in seconds. Taking a listing down is never refused for a limit.',
    ],
  },
  {
    title: 'Events',
    lines: [
      'What happens is told in three ways: to webhook addresses, as a stream of server-sent events, and as a list. An event is the same in all: `seq` grows with each of the account, and `id` stays the same however often it is told. Events are kept for 30 days. Go on from the `seq` that you have handled last: by `Last-Event-ID` at the stream, by `after` at the list. A number that is missing between two is no loss: tests of a webhook address take one too.',
      'A webhook is told at least once, and of one item in order: go by `id` to drop what you have, by `seq` for what is newer. Each delivery is signed in the manner of Standard Webhooks: `webhook-signature` is a list, parted by spaces, in which `v1,` is followed by the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, the body byte by byte, with the base64-decoded rest of your `whsec_…` secret as the key. Refuse a timestamp more than five minutes off. Answer 2xx within 10 seconds; anything else is tried again after 5 s, 30 s, 2 min and so on for three days (`Retry-After` is heeded), 410 switches the address off, and so do five days without a success. Redirects are not followed.',
      `Every event about an item that exists has ${itemData} in its \`data\`. A mirror of the stock therefore keeps \`item\` of each event by \`inventory_item_uid\`, and drops the item on \`item.deleted\` and \`item.merged\`.`,
      `What \`data\` carries: ${Object.entries(eventData)
        .map(([type, { when, data }]) => `\`${type}\`: ${when} Data: ${data}.`)
        .join(' · ')}`,
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
