/** Faults of the sandbox Etsy, each in words that follow "it". */
export const faultKinds = {
  slow: 'answers late',
  drip: 'sends one byte at a time, with the delay between them',
  fail_before: 'breaks the connection before it handles the call',
  fail_after: 'breaks the connection after it handled the call',
  http_500: 'answers 500 with Etsy’s "Server Error"',
  html_body: 'answers 200 with an HTML page',
  rate_limit: 'answers 429, with Retry-After',
  cut: 'breaks the connection in the middle of the answer',
  truncate: 'sends half of the JSON as if it were all',
  garbage: 'sends bytes labeled gzip that are not gzip',
  short_page: 'answers half of the page’s listings, with the full count',
  empty_page: 'answers none of the page’s listings, with the full count',
  repeat_page: 'answers the previous page again',
  token_invalid: 'rejects the token',
}
export type FaultKind = keyof typeof faultKinds
